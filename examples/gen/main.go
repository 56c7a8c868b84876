// A program in Go and one in Java that write and read each other's keys. Nothing but
// rowkey.yaml says what a key is: rowkey gen printed package keys and the Java classes.
//
//	go run ./examples/gen           # writes keys, a line each: trades 0c73…
//	go run ./examples/gen FILE      # reads such lines, here of the Java program, and writes them again
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/hbase-rowkey/rowkey/examples/gen/keys"
)

//go:generate go run ../../cmd/rowkey gen

// A row is a struct of package keys.
type row interface {
	Append(dst []byte) ([]byte, error)
	Parse(key []byte) error
}

func main() {
	log.SetFlags(0)
	var err error
	if len(os.Args) > 1 {
		err = again(os.Args[1], os.Stdout)
	} else {
		err = write(os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write writes the keys of ten rows of each table.
func write(out io.Writer) error {
	for i := range 10 {
		at := time.UnixMilli(1684203630002 + 86400_000*int64(i))
		for _, r := range []struct {
			table string
			row   row
		}{
			{"trades", &keys.Trades{Seller: fmt.Sprintf("s-%d é", i), At: at, Order: uint64(i) << 60}},
			{"ops", &keys.Ops{User: fmt.Sprintf("user%d", i*i), At: at}},
			{"readings", &keys.Readings{Meter: uint64(i) * 477218588, Day: at}},
		} {
			key, err := r.row.Append(nil)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s %x\n", r.table, key)
		}
	}
	return nil
}

// again reads each key of a file, and writes the key of the row that it read.
func again(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows := map[string]row{"trades": new(keys.Trades), "ops": new(keys.Ops), "readings": new(keys.Readings)}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		table, text, _ := strings.Cut(lines.Text(), " ")
		key, err := hex.DecodeString(text)
		if err != nil {
			return err
		}
		r := rows[table]
		if r == nil {
			return fmt.Errorf("no table %s", table)
		}
		if err := r.Parse(key); err != nil {
			return err
		}
		if key, err = r.Append(key[:0]); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %x\n", table, key)
	}
	return lines.Err()
}

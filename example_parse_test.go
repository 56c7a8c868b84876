package rowkey_test

import (
	"errors"
	"fmt"

	"github.com/hbase-rowkey/rowkey"
)

// A layout in a file, with a key of the real table as a proof.
func ExampleParse() {
	s, err := rowkey.Parse("trades", `
		[salt16(seller)]  # one byte: murmur3(seller) mod 16
		[seller]['_']
		[max-ms(at)]      # newest first
		[order:8]

		sample("\x0Cs-42_\x7F\xFF\xFEw\xDD\xA4\x12O\x00\x00\x00\x00\x00\x00\x00\x07", "s-42", 2023-05-16T02:20:30Z, 7)
	`)
	fmt.Println(s, err)
	fmt.Println(s.Fingerprint() == trades.Fingerprint())
	// Output:
	// [salt16(seller)][seller]['_'][max-ms(at)][order:8] <nil>
	// true
}

// An error shows the line and the spot. For one line alone, as in a log, there
// are its Offset and its Err.
func ExampleParse_error() {
	_, err := rowkey.Parse("trades", "[salt16(seller)]\n[seller]['_']\n[ms(at) dsc][order:8]")
	fmt.Println(err)

	var e *rowkey.Error
	errors.As(err, &e)
	fmt.Printf("byte %d: %v\n", e.Offset, e.Err)

	_, err = rowkey.Parse("trades", "[seller][order:8]")
	fmt.Println(err)
	// Output:
	// rowkey: trades: at: line 3: expected ']' or an option; perhaps desc: schema cannot be built (at byte 39)
	// 	[ms(at) dsc][order:8]
	// 	        ^
	// byte 39: line 3: expected ']' or an option; perhaps desc: schema cannot be built
	// rowkey: trades: seller: has no end before the next component, order: add a Separator, Fixed, Pad or Escaped: schema cannot be built (at byte 1)
	// 	[seller][order:8]
	// 	 ^
}

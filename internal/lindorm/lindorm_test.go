package lindorm

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hbase-rowkey/rowkey"
)

const note = "-- The bytes of this table are Lindorm's: its hash and its encoding are not published. Read and write it by SQL, not with keys of this schema.\n"

func TestCreateTable(t *testing.T) {
	for _, c := range []struct {
		notation string
		o        Options
		want     string
	}{
		{"[salt16(user)][user]['_'][max-ms(at)]", Options{Table: "t", Regions: 4, Indexes: []string{"user,at"}}, "-- [salt16(user)][user]['_'][max-ms(at)]\n" + note + `-- a query reads one place if it gives all columns of the hash by =
CREATE TABLE ` + "`t` (\n  `user` VARCHAR NOT NULL,\n  `at` TIMESTAMP NOT NULL,\n  PRIMARY KEY(hash8(`user`), `user`, `at` DESC)\n) WITH (NUMREGIONS='4');" + `
-- An index does not inherit the hash; one whose first column rises needs one of its own.
CREATE INDEX ` + "`t_by_user_at` ON `t` (`user`, `at`);\n"},
		{"[user:4][seq:2][salt16(user)]", Options{Table: "t", Regions: 2}, "-- [user:4][seq:2][salt16(user)]\n" + note +
			"-- [salt16(user)] is left out: SQL has one hash, at the beginning of the key\nCREATE TABLE `t` (\n  `user` BIGINT NOT NULL,\n  `seq` BIGINT NOT NULL,\n  PRIMARY KEY(`user`, `seq`)\n) WITH (NUMREGIONS='2', STARTKEY='0', ENDKEY='4294967295');\n"},
		{"[user:4][copy0=user desc][seq reverse]", Options{Table: "t"}, "-- [user:4][copy0=user desc][seq reverse]\n" + note +
			"-- [copy0=user desc] is left out: an index of user does what a copy does\n-- seq is stored reversed here; SQL stores it as it is\nCREATE TABLE `t` (\n  `user` BIGINT NOT NULL,\n  `seq` VARCHAR NOT NULL,\n  PRIMARY KEY(`user`, `seq`)\n);\n"},
		{"[user:4][salt16(user)][seq:2]", Options{Table: "t"}, "-- [user:4][salt16(user)][seq:2]\n" + note +
			"-- [salt16(user)] is left out: SQL has one hash, at the beginning of the key\nCREATE TABLE `t` (\n  `user` BIGINT NOT NULL,\n  `seq` BIGINT NOT NULL,\n  PRIMARY KEY(`user`, `seq`)\n);\n"},
		{"[ms(at)][user]", Options{Table: "t", Regions: 4}, "error: --regions: at comes first and rises, so all writes go to the last region: put a salt first"},
		{"[user]['_'][seq:8 desc]", Options{Table: "t", Regions: 4}, "error: --regions: the values of user depend on data: put a salt first, or write SPLITKEYS='…' with values of your own"},
		{"[user:8]", Options{Table: "a b"}, `error: -o lindorm: table "a b": expected letters, digits and '_': --table NAME`},
		{"[user:8]", Options{Table: "t", Regions: 1}, "error: --regions 1: expected 2 to 10000"},
		{"[a:1][b:1][c:1][d:1][e:1][f:1]", Options{Table: "t"}, "error: -o lindorm: 6 fields, and a primary key has at most 5 columns"},
		{"[md5.raw(2)(user)][user notstored][seq:4]", Options{Table: "t"}, "error: -o lindorm: [md5.raw(2)(user)]: user is no stored field, and a hashed column must be in the key"},
	} {
		got, err := CreateTable(rowkey.Must(rowkey.Parse("t", c.notation)), c.o)
		if err != nil {
			got = "error: " + err.Error()
		}
		assert.Equal(t, c.want, got, c.notation)
	}
}

package designs_test

import (
	"fmt"

	"github.com/hbase-rowkey/rowkey"
)

// Design 5, a risk profile by uid. A prefix of md5 spreads uids that are handed
// out in order. A Java service takes md5(String.valueOf(uid)), the digest of the
// decimal text, while the key holds eight bytes: what is hashed is said, or the
// two sides look in different places.
func Example_riskByUid() {
	byUid := rowkey.New("riskByUid").
		Hash(rowkey.MD5.Hex(4), "text(uid)"). // md5("10086") = 6412…
		Uint("uid", 8).
		MustBuild()
	fmt.Println(byUid)

	ofBytes := rowkey.New("riskByUid").Hash(rowkey.MD5.Hex(4), "uid").Uint("uid", 8).MustBuild()
	key := must(byUid.Key().Uint(10086).Bytes())
	other := must(ofBytes.Key().Uint(10086).Bytes())
	fmt.Printf("%s %x\n%s %x\n", key[:4], key[4:], other[:4], other[4:])

	for key := range must(byUid.Scan(rowkey.Eq("uid", 10086))).Keys() { // a get
		fmt.Printf("%s %x\n", key[:4], key[4:])
	}

	_, err := byUid.Decode(other)
	fmt.Println(err)
	// Output:
	// [md5.hex(4)(text(uid))][uid:8]
	// 6412 0000000000002766
	// c25c 0000000000002766
	// 6412 0000000000002766
	// rowkey: riskByUid: hash: salt, hash or copy does not match the fields (at byte 0)
}

// Design 6, a risk profile by id card. The telling puts md5(uid) before the
// card, and who has only the card cannot compute that prefix: the card is what
// is asked for, so the card is what is hashed. A card's check character is a
// digit or X; Chars keeps a small x from becoming a second person.
func Example_riskByCard() {
	byCard := rowkey.New("riskByCard").
		Hash(rowkey.MD5.Hex(5), "card").
		String("card", rowkey.Chars("0123456789X"), rowkey.Fixed(18)).
		Uint("uid", 8).
		MustBuild()
	fmt.Println(byCard)

	var t table
	t.put(byCard.Key().String("11010119900307451X").Uint(10086).Bytes())
	t.put(byCard.Key().String("110101199003074514").Uint(10087).Bytes())
	for key := range t.read(must(byCard.Scan(rowkey.Eq("card", "11010119900307451X")))) {
		var uid uint64
		err := byCard.Read(key).Skip().Uint(&uid).Err()
		fmt.Println(uid, err)
	}

	_, err := byCard.Key().String("11010119900307451x").Uint(10088).Bytes()
	fmt.Println(err)
	_, err = byCard.Key().String("110101900307451").Uint(10088).Bytes() // an old card, 15 digits
	fmt.Println(err)
	// Output:
	// [md5.hex(5)(card)][card chars("0123456789X") fixed(18)][uid:8]
	// 10086 <nil>
	// rowkey: riskByCard: card: byte 18 of 18 is none of "0123456789X": value out of range
	// rowkey: riskByCard: card: 15 bytes, exactly 18: length not allowed
}

// Design 7, a risk profile by phone. The same trap, tried out: under a prefix of
// md5(uid) the phone alone is 65536 ranges, and the library says so in place of
// reading them. Hash the field that is asked for.
func Example_riskByPhone() {
	told := rowkey.New("told").
		Hash(rowkey.MD5.Hex(4), "uid").
		String("phone", rowkey.Fixed(11)).
		Uint("uid", 8).
		MustBuild()
	phone := rowkey.Eq("phone", "13111111111")
	_, err := told.Scan(phone)
	fmt.Println(err)

	byPhone := rowkey.New("riskByPhone").
		Hash(rowkey.MD5.Hex(5), "phone").
		String("phone", rowkey.Fixed(11)).
		Uint("uid", 8).
		MustBuild()
	fmt.Println(byPhone)
	fmt.Print(must(byPhone.Scan(phone)))
	// Output:
	// rowkey: told: hash: 65536 ranges, one for each value of what no condition fixes; at most 1024, MaxRanges(65536) permits them: query needs too many ranges
	// [md5.hex(5)(phone)][phone fixed(11)][uid:8]
	// riskByPhone: one range, every row in them matches
	//   [c5f3e13111111111, c5f3e13111111112)
	//   hash: computed from fields that are fixed
	//   phone: one value
}

package play

import "testing"

// TestComparedLacks: a question for a field that both designs lack does not hide what they differ in.
func TestComparedLacks(t *testing.T) {
	d, err := compared(compareAsk{From: "[a:4]", To: "[a:8]", Questions: [][]string{{"z=3"}, {"a=3"}}})
	if err != nil || d.Verdict != "bytes" {
		t.Errorf("%+v %v", d, err)
	}
}

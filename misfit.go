package rowkey

import "strings"

// fitting says of each option what it fits, and what another field has in its
// place: the remedy of the error that it does not fit.
var fitting = map[word]string{
	wDialect:       "HBase writes a text as it is: leave it out",
	wNumeric:       "it fits a String, a Uint or an Int of OrderedBytes or Phoenix",
	wPrecision:     "it fits a Numeric, of OrderedBytes or Phoenix",
	wOptional:      "it fits a field of OrderedBytes or Phoenix; other keys have no null",
	wUnsigned:      "it fits a Float or a Time of Phoenix, in whole units",
	wBlobCopy:      "it fits a Binary of OrderedBytes",
	wBelow:         "it fits a Uint, an Int or a Time in whole units; a text has OneOf, a Layout Years",
	wYears:         "it fits a Time; a number has Below, a text OneOf",
	wOneOf:         "it fits a String or a Binary; a number has Below",
	wCodes:         "it fits a String or a Binary; a number has Below",
	wChars:         "it fits a String or a Binary; a number has Below",
	wMinLen:        "it fits a String or a Binary",
	wTruncate:      "it fits a Time",
	wUUID:          "it fits a String; of 16 bytes say Binary and Fixed(16)",
	wWidth:         "it fits a Uint, an Int or a Time without a dialect, or of HBase; a text has Fixed",
	wDigits:        "it fits a Uint or a Time, but not of OrderedBytes; an Int has Decimal",
	wHexDigits:     "it fits a Uint or a Time, but not of OrderedBytes; an Int has Decimal",
	wDecimal:       "it fits a Uint, an Int or a Time without a dialect, or of HBase; the others have Numeric",
	wReverse:       "it fits a text, and a number that is not of OrderedBytes or Phoenix",
	wReverseRune:   "it fits a text, and a number behind Digits",
	wReverseLabels: "it fits a text, and a number behind Digits",
	wReversePart:   "it fits a text, and a number behind Digits",
	wLeft:          "it fits the Copy of a text",
	wRight:         "it fits the Copy of a text",
	wLoose:         "it fits a field without a dialect, or of HBase; in the others a field ends itself",
	wLetters:       "it fits a Salt",
	wNamed:         "it fits a Salt or a Hash; a field has its name",
	wPart:          "it fits a Salt; of a field say Hash",
	wRule:          "it fits a Salt",
	wMaxLen:        "it fits New; a text has Fixed and Pad",
	"nil":          "it is no option: leave it out",
}

// misfit says that an option does not fit a kind of field, and what it fits.
func (w word) misfit(kind string, lay bool) string {
	article := "a "
	if strings.ContainsRune("aeio", rune(kind[0])) {
		article = "an "
	}
	text := "option " + string(w) + " does not fit " + article + kind
	switch w {
	case wTruncate, wDigits, wHexDigits, wDecimal:
		if lay {
			return text + " with a Layout, which has its own resolution and digits"
		}
	}
	if remedy := fitting[w]; remedy != "" {
		text += ": " + remedy
	}
	return text
}

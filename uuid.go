package rowkey

import forms "github.com/hbase-rowkey/rowkey/internal/form"

var errNoUUID error = &detail{"not 8-4-4-4-12 hexadecimal digits in lower case", ErrRange}

// packUUID turns the text in b into its bytes, in place.
func packUUID(b []byte) ([]byte, error) {
	if len(b) != forms.UUIDText {
		return b, lengthRefused(len(b), forms.UUIDText, forms.UUIDText)
	}
	if form, ok := forms.PackUUID(b); ok {
		return form, nil
	}
	return b, errNoUUID
}

// optUUID adds the step to a text's pipeline.
func (p *pipeline) optUUID(misfit string) string {
	c := p.c
	switch {
	case c.kind != KindString || c.decimal != forms.NoDecimal:
		return misfit
	case c.dialect.framed():
		return "UUID does not fit a field of OrderedBytes or Phoenix, which say what its bytes are: give the field HBase"
	case c.codes != nil:
		return "Codes and UUID both say what is written"
	case p.started:
		return "UUID stands before the options that change bytes"
	}
	c.stages = append(c.stages, stage{word: wUUID})
	p.started = true
	p.seen[wUUID] = true
	return ""
}

// packed is the shape of the bytes of texts that are UUIDs, and why none is one.
func (s shape) packed() (shape, string) {
	if s.min > forms.UUIDText || s.max >= 0 && s.max < forms.UUIDText {
		return s, "UUID: no value has its 36 characters"
	}
	return fixedShape(forms.UUIDSize, s.dir), ""
}

// packs reports that the component writes its text as a UUID.
func (c *component) packs() bool { return len(c.stages) > 0 && c.stages[0].word == wUUID }

// packedSpan is a span of texts with its ends drawn in to UUIDs: it holds the same
// ones. False if it holds none.
func packedSpan(t textSpan) (textSpan, bool) {
	some := true
	if t.lo != "" {
		t.lo, some = forms.UUIDFrom(t.lo)
	}
	if !t.open {
		var ends bool
		if t.hi, ends = forms.UUIDFrom(t.hi); !ends {
			t.open = true
		}
	}
	return t, some && (t.open || t.lo < t.hi)
}

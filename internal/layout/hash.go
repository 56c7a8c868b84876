package layout

import (
	"fmt"
	"strconv"

	"github.com/hbase-rowkey/rowkey/internal/digest"
	"github.com/hbase-rowkey/rowkey/internal/foreign"
	forms "github.com/hbase-rowkey/rowkey/internal/form"
	"github.com/hbase-rowkey/rowkey/internal/notation"
)

// Part is a part of a digest: some of its bytes or hexadecimal characters.
type Part struct {
	Cut digest.Part
	Own *foreign.Digest // a digest of the caller's; nil: the algorithm of Cut
	Err string          // what is wrong with the declaration; empty: nothing
}

// murmurPart is what a salt is computed from by default: 4 bytes of murmur3.
var murmurPart = Part{Cut: digest.Part{Hash: digest.Hash{Algorithm: digest.Murmur3}, N: 4}}

// String is the part in the notation.
func (p Part) String() string {
	name, _ := p.known()
	if name == "" || p.Err != "" {
		return "invalid digest"
	}
	return p.Said().String()
}

// wrong says why the digest has no such part; empty if it has.
func (p Part) wrong() string {
	if p.Err != "" {
		return p.Err
	}
	_, size := p.known()
	if size == 0 {
		return "the zero Digest hashes nothing"
	}
	c := &p.Cut
	what := " bytes"
	if c.Hex {
		size, what = 2*size, " hexadecimal characters"
	}
	switch {
	case c.At < 0 || c.N < 1 || c.At > size-c.N:
		return p.String() + " is not within the digest's " + strconv.Itoa(size) + what
	case c.Upper && !c.Hex:
		return "Upper fits hexadecimal only"
	}
	return ""
}

// known is the digest's name and its size in bytes; empty for the zero Digest.
func (p *Part) known() (name string, size int) {
	if p.Own != nil {
		return p.Own.Name, p.Own.Size
	}
	return p.Cut.Algorithm.String(), p.Cut.Size()
}

// notJava says why Java's String.hashCode cannot be taken of an input; empty if
// it can.
func (in *source) notJava() string {
	switch in.Form {
	case byRest:
		return "a Java hashCode is of text, not of the rest of a key"
	case ByText, byFormat:
		return ""
	}
	for _, f := range in.Comps {
		if !f.IsText() {
			return fmt.Sprintf("a Java hashCode is of text: say text(%s)", f.Name)
		}
	}
	return ""
}

func (c *Component) compileHash() string {
	c.Part = *c.Decl.Part
	if problem := c.Part.wrong(); problem != "" {
		return problem
	}
	for i, o := range c.Decl.Opts {
		switch {
		case o.Word() != notation.Named:
			return fmt.Sprintf("option %s does not fit a hash: it takes Named", o.Word())
		case i > 0:
			return "option named stands twice"
		}
	}
	if c.Part.Cut.Algorithm == digest.JavaHashCode {
		if problem := c.In.notJava(); problem != "" {
			return problem
		}
	}
	c.Width = c.Part.Cut.N
	c.Shape = forms.FixedShape(c.Width, forms.NoOrder)
	if c.Part.Cut.Hex {
		c.Shape.Bytes = forms.BytesOf(forms.HexLower)
		if c.Part.Cut.Upper {
			c.Shape.Bytes = forms.BytesOf(forms.HexUpper)
		}
	}
	c.Order, c.Ends = forms.Unordered, forms.EndWidth
	return ""
}

package rowkey

import "errors"

// OneWay makes a Transform of a function that nothing undoes, such as a name in
// lower case: Hash(MD5.Hex(4), "id").Copy("low", "id", Via(lower)) writes c6e1 and
// "web" of "Web", where lower is OneWay("lower", 0, …). Of its laws the one on
// Invert falls away, and different values may have one form. It fits a Copy or a
// Salt, whose bytes are never read back but written again and compared.
//
// The function appends the form of a value to dst and says by an error that there
// is none; size is the forms' size in bytes where it is fixed, 0 where it is not.
// The name stands for it in the notation and in the fingerprint. Its Traits are
// the size and Unordered.
func OneWay(name string, size int, appendForm func(dst, value []byte) ([]byte, error)) Transform {
	return &oneWay{name, size, appendForm}
}

type oneWay struct {
	name   string
	size   int
	append func(dst, value []byte) ([]byte, error)
}

var errOneWay = errors.New("nothing undoes it")

func (o *oneWay) Append(dst, value []byte) ([]byte, error) {
	if o.append == nil {
		return dst, errors.New("OneWay needs a function")
	}
	return o.append(dst, value)
}

func (o *oneWay) Invert(dst, stored []byte) ([]byte, error) { return dst, errOneWay }

func (o *oneWay) Traits() Traits { return Traits{Order: Unordered, Size: o.size, OneWay: true} }

func (o *oneWay) String() string { return o.name }

// oneWay says why a step that nothing undoes cannot stand on a field.
func (p *pipeline) oneWay(v *via) string {
	if v.hollow {
		return v.notation() + ": OneWay needs a function"
	}
	if v.traits.oneWay && p.of == nil {
		return v.notation() + " is OneWay: it fits a Copy or a Salt, and a field is read back. Write a Copy of it and say NotStored"
	}
	return ""
}

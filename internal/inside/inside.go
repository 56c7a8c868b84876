// Package inside gives the packages of this module what a type of package rowkey holds and does not show: its plan
// to package scan, its layout to the generator of code. Package rowkey is not known here. Each of its types embeds
// one of these under a name in lower case. The field and the method in it have no name outside this package, so a
// user sees nothing of them, and the compiler knows which types have them.
package inside

import (
	"github.com/hbase-rowkey/rowkey/internal/layout"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/plan"
	"github.com/hbase-rowkey/rowkey/internal/walk"
)

// InPlan is what a rowkey.Plan embeds.
type InPlan struct{ held plan.Plan }

func (in *InPlan) plan() *plan.Plan { return &in.held }

// Planned is an InPlan that holds p.
func Planned(p plan.Plan) InPlan { return InPlan{p} }

// OfPlan is Plan for package rowkey, which inlines it: an interface would cost too much there.
func OfPlan(in *InPlan) *plan.Plan { return &in.held }

// Plan is the inside of a *rowkey.Plan.
func Plan(p interface{ plan() *plan.Plan }) *plan.Plan { return p.plan() }

// InSchema is what a rowkey.Schema embeds: how its keys are read, which knows its layout.
type InSchema struct{ held *walk.Layout }

func (in *InSchema) walk() **walk.Layout { return &in.held }

// Walked is an InSchema that holds w.
func Walked(w *walk.Layout) InSchema { return InSchema{w} }

// OfSchema is Walk for package rowkey.
func OfSchema(in *InSchema) *walk.Layout { return in.held }

// A Schema is a *rowkey.Schema.
type Schema interface{ walk() **walk.Layout }

// Walk is how the keys of a schema are read; nil of the zero Schema.
func Walk(s Schema) *walk.Layout { return *s.walk() }

// SetWalk has the keys of a schema read in another way. Tests do that.
func SetWalk(s Schema, w *walk.Layout) { *s.walk() = w }

// Layout is the compiled layout of a schema.
func Layout(s Schema) *layout.Schema {
	if w := Walk(s); w != nil {
		return w.Schema()
	}
	return new(layout.Schema)
}

// InDigest is what a rowkey.Digest embeds: a part that is not cut yet.
type InDigest struct{ held layout.Part }

func (in *InDigest) part() *layout.Part { return &in.held }

// OfDigest is Digest for package rowkey.
func OfDigest(in *InDigest) *layout.Part { return &in.held }

// Digest is the inside of a *rowkey.Digest.
func Digest(d interface{ part() *layout.Part }) *layout.Part { return d.part() }

// Option is what a type embeds that is an option of package rowkey, and not exported there, such as
// interop.Numeric. It embeds the interface of package rowkey too, for the compiler.
type Option struct{ said notation.Option }

// OptionOf is the option that a notation says.
func OptionOf(said notation.Option) Option { return Option{said} }

func (o *Option) word() *notation.Option { return &o.said }

// Worded is a pointer to a type that embeds an Option.
type Worded interface{ word() *notation.Option }

// Said is what a notation says of the option.
func Said(o Worded) *notation.Option { return o.word() }

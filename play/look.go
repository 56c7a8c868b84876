package play

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hbase-rowkey/rowkey"
	"github.com/hbase-rowkey/rowkey/advice"
	"github.com/hbase-rowkey/rowkey/draft"
	"github.com/hbase-rowkey/rowkey/internal/inside"
	"github.com/hbase-rowkey/rowkey/internal/notation"
	"github.com/hbase-rowkey/rowkey/internal/pattern"
	"github.com/hbase-rowkey/rowkey/internal/said"
	"github.com/hbase-rowkey/rowkey/internal/shell"
)

// lookAsk is a design and what is asked of it.
type lookAsk struct {
	Name      string            `json:"name"`
	Notation  string            `json:"notation"`  // or what draft reads
	Answers   []string          `json:"answers"`   // to what a draft leaves open, in order; a null byte: the usual one
	Values    map[string]string `json:"values"`    // of one row
	Questions [][]string        `json:"questions"` // conditions, as rowkey scan takes them
	Rows      map[string]string `json:"rows"`      // how values are made up, by field
	Regions   int               `json:"regions"`
	Lang      string            `json:"lang"` // zh, or English for any other
}

// view is a design as the page shows it.
type view struct {
	Notation  string        `json:"notation,omitempty"` // in its one form; empty if there is a problem
	Problem   *problem      `json:"problem,omitempty"`
	Draft     *drafted      `json:"draft,omitempty"`
	Fields    []fieldView   `json:"fields,omitempty"`
	Key       *keyView      `json:"key,omitempty"`
	Questions []planView    `json:"questions,omitempty"`
	Findings  []findingView `json:"findings,omitempty"`
	Table     *tableView    `json:"table,omitempty"`
}

// problem is why a design cannot be read, and where.
type problem struct {
	Text  string `json:"text"`
	From  int    `json:"from"` // in UTF-16; −1: no place
	To    int    `json:"to"`
	Mends []mend `json:"mends,omitempty"`
}

// mend is a design without the problem.
type mend struct {
	Label    string `json:"label"`
	Notation string `json:"notation"`
}

// drafted is what a design in other words says, and leaves open.
type drafted struct {
	Decided string     `json:"decided"` // with the answers
	Open    []openView `json:"open,omitempty"`
}

type openView struct {
	What    string       `json:"what"`
	Chosen  string       `json:"chosen"`
	Assumed bool         `json:"assumed"` // nobody has chosen yet
	Choices []choiceView `json:"choices"`
}

type choiceView struct {
	Notation string `json:"notation"`
	Meaning  string `json:"meaning"`
	Price    string `json:"price,omitempty"`
}

// fieldView is a component.
type fieldView struct {
	Name     string   `json:"name,omitempty"`
	Kind     string   `json:"kind"`
	Notation string   `json:"notation"`
	Derived  bool     `json:"derived,omitempty"`
	Stored   bool     `json:"stored"`
	Optional bool     `json:"optional,omitempty"`
	Inputs   []string `json:"inputs,omitempty"`
	Sample   string   `json:"sample,omitempty"` // of what is supplied
	Rows     string   `json:"rows,omitempty"`   // how its values are made up
	Values   []string `json:"values,omitempty"` // all that there are
}

// keyView is the key of the values.
type keyView struct {
	Hex    string      `json:"hex,omitempty"`
	Shell  string      `json:"shell,omitempty"`
	Bytes  int         `json:"bytes,omitempty"`
	Pieces []pieceView `json:"pieces,omitempty"`
	Error  string      `json:"error,omitempty"`
	Field  string      `json:"field,omitempty"` // the error's
}

type pieceView struct {
	At      int    `json:"at"` // among the fields; −1: bytes that belong to none
	Hex     string `json:"hex"`
	Text    string `json:"text,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// planView is what a question reads.
type planView struct {
	Conds   []condView  `json:"conds"`
	Error   string      `json:"error,omitempty"`
	Whole   bool        `json:"whole,omitempty"`  // refused, since it reads the whole table
	Cannot  string      `json:"cannot,omitempty"` // the key has no such field
	Count   int         `json:"count"`
	Exact   bool        `json:"exact"`
	Gets    int         `json:"gets,omitempty"` // keys that can be read one by one, at most 1025
	Ranges  []rangeView `json:"ranges,omitempty"`
	Why     []reason    `json:"why,omitempty"`
	Share   float64     `json:"share"`  // of the table's rows that lie in the ranges
	Wanted  float64     `json:"wanted"` // that match
	Stripes [][2]int    `json:"stripes,omitempty"`
	Regions int         `json:"regions"`
}

type condView struct {
	Text  string `json:"text"`
	Field string `json:"field,omitempty"`
	Error string `json:"error,omitempty"`
}

type rangeView struct {
	Start string `json:"start"` // hexadecimal
	Stop  string `json:"stop"`  // empty: to the end of the table
}

type reason struct {
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

type findingView struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Text     string `json:"text"`
	Try      string `json:"try,omitempty"`
	Mends    bool   `json:"mends,omitempty"` // Try is a layout
}

func (a *lookAsk) check() error {
	if err := tooLong("the design", a.Notation, maxNotation); err != nil {
		return err
	}
	for name, text := range a.Values {
		if err := tooLong(name, text, maxValue); err != nil {
			return err
		}
	}
	if a.Regions < 0 || a.Regions > 4096 {
		return fmt.Errorf("%d regions, at most 4096", a.Regions)
	}
	return checkQuestions(a.Questions)
}

func checkQuestions(questions [][]string) error {
	if len(questions) > maxQuestions {
		return fmt.Errorf("%d questions, at most %d", len(questions), maxQuestions)
	}
	for _, q := range questions {
		if len(q) > maxConds {
			return fmt.Errorf("%d conditions, at most %d", len(q), maxConds)
		}
		for _, c := range q {
			if err := tooLong("a condition", c, maxValue); err != nil {
				return err
			}
		}
	}
	return nil
}

// look looks at a design: its key, its questions, its advice.
func look(a lookAsk) (*view, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	v := &view{}
	s := v.read(&a)
	if s == nil {
		return v, nil
	}
	v.Notation = s.String()
	row := newRow(s, a.Values)
	v.Fields = fieldsOf(s, row, a.Rows)
	v.Key = row.view()
	v.Table = tableOf(s, a.Rows, a.Regions)
	d := advice.Design{Schema: s, Regions: a.Regions}
	for i, q := range a.Questions {
		p, conds := planOf(s, q, v.Table, a.Lang)
		v.Questions = append(v.Questions, p)
		if conds != nil {
			d.Questions = append(d.Questions, advice.Question{Name: fmt.Sprintf("Q%d", i+1), Conds: conds})
		}
	}
	for _, f := range advice.Check(d) {
		_, err := rowkey.Parse("", f.Try)
		v.Findings = append(v.Findings, findingView{f.Rule, f.Severity.String(), f.In(a.Lang), f.TryIn(a.Lang), err == nil})
	}
	return v, nil
}

// read makes a schema of the design; nil if that has a problem.
func (v *view) read(a *lookAsk) *rowkey.Schema {
	text := a.Notation
	if strings.TrimSpace(text) == "" {
		v.Problem = &problem{From: -1}
		return nil
	}
	s, err := rowkey.Parse(nameOf(a.Name), text)
	if err == nil {
		return s
	}
	d, unread := draft.Read(text)
	switch {
	case unread != nil:
		v.Problem = problemOf(text, err, unread)
		return nil
	case len(d.Open) == 0: // other words for a notation
		s, err = rowkey.Parse(nameOf(a.Name), d.Notation)
		if err != nil {
			v.Problem = problemOf(text, err, nil)
			return nil
		}
		v.Draft = &drafted{Decided: d.Notation}
		return s
	}
	return v.decide(a, d, err)
}

// decide takes the usual answer wherever none was given.
func (v *view) decide(a *lookAsk, d *draft.Draft, unparsed error) *rowkey.Schema {
	out := &drafted{}
	answers := make([]string, len(d.Open))
	for i, q := range d.Open {
		o := openView{What: q.What.In(a.Lang), Assumed: true, Choices: []choiceView{}}
		for _, c := range q.Choices {
			o.Choices = append(o.Choices, choiceView{c.Notation, c.Meaning.In(a.Lang), c.Price.In(a.Lang)})
		}
		if len(q.Choices) > 0 {
			answers[i] = q.Choices[0].Notation
		}
		if i < len(a.Answers) && a.Answers[i] != "\x00" {
			answers[i], o.Assumed = a.Answers[i], false
		}
		out.Open = append(out.Open, o)
	}
	s, err := rowkey.Parse(nameOf(a.Name), d.Decide(answers...))
	if err != nil && goTogether(d, out, answers) {
		s, err = rowkey.Parse(nameOf(a.Name), d.Decide(answers...))
	}
	if err != nil {
		if strings.HasPrefix(strings.TrimSpace(a.Notation), "[") {
			err = unparsed
		}
		v.Problem = problemOf(a.Notation, err, nil)
		return nil
	}
	for i := range out.Open {
		out.Open[i].Chosen = answers[i]
	}
	out.Decided = s.String()
	v.Draft = out
	return s
}

// goTogether looks for other choices in place of those that were assumed, so that all make a
// notation. It tries few.
func goTogether(d *draft.Draft, out *drafted, answers []string) bool {
	tries := 0
	var from func(i int) bool
	from = func(i int) bool {
		if tries++; tries > 3000 {
			return false
		}
		if i == len(answers) {
			_, err := rowkey.Parse("", d.Decide(answers...))
			return err == nil
		}
		if !out.Open[i].Assumed || len(d.Open[i].Choices) == 0 {
			return from(i + 1)
		}
		before := answers[i]
		for _, c := range d.Open[i].Choices {
			if answers[i] = c.Notation; from(i + 1) {
				return true
			}
		}
		answers[i] = before
		return false
	}
	return from(0)
}

// problemOf is the problem of the reader that got further: of notations, or of drafts.
func problemOf(text string, err, unread error) *problem {
	p := &problem{Text: firstLine(said.TypeHint(text, said.InNotation(said.Reason(err))))}
	at := -1
	if e := (*rowkey.Error)(nil); errors.As(err, &e) {
		at = e.Offset
	}
	if e := (*draft.Error)(nil); errors.As(unread, &e) && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		p.Text, at = e.Problem, e.Offset
		if e.Field != "" {
			p.Text = e.Field + ": " + p.Text
		}
	}
	p.From, p.To = -1, -1
	if at >= 0 && at <= len(text) {
		end := at + len(text[at:]) - len(strings.TrimLeftFunc(text[at:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }))
		if end == at && at < len(text) {
			_, n := utf8.DecodeRuneInString(text[at:])
			end += n
		}
		p.From, p.To = units(text, at), units(text, end)
	}
	p.Mends = mendsOf(text, at)
	return p
}

// fieldsOf are the components, with samples of what a row supplies.
func fieldsOf(s *rowkey.Schema, r *row, rows map[string]string) (out []fieldView) {
	for f := range s.Fields() {
		o := fieldView{Name: f.Name, Kind: f.Kind, Notation: f.Notation, Derived: f.Derived, Stored: f.Stored, Optional: f.Optional, Inputs: f.Computed.Inputs}
		if f.Computed.Source != "" {
			o.Inputs = []string{f.Computed.Source}
		}
		if !f.Derived && f.Kind != "literal" {
			o.Sample = r.texts[f.Name]
			if o.Values = s.Values(f.Name); len(o.Values) > 64 {
				o.Values = nil
			}
			if o.Rows = strings.TrimSpace(rows[f.Name]); o.Rows == "" {
				o.Rows = usualRows(s, &f)
			}
		}
		out = append(out, o)
	}
	return out
}

// row is one row, its values as texts.
type row struct {
	schema *rowkey.Schema
	texts  map[string]string
	key    []byte
	err    error
	bad    string // the field of the error
}

// newRow makes the key of the texts. A field without a text gets a sample that the schema takes.
func newRow(s *rowkey.Schema, given map[string]string) *row {
	r := &row{schema: s, texts: map[string]string{}}
	samples := map[string][]string{} // that are left to try
	for _, f := range said.Supplied(s) {
		text, ok := given[f.Name]
		if !ok {
			list := samplesOf(s, &f)
			text, samples[f.Name] = list[0], list[1:]
		}
		r.texts[f.Name] = text
	}
	for range 64 {
		if r.write(); r.err == nil || len(samples[r.bad]) == 0 {
			break
		}
		r.texts[r.bad], samples[r.bad] = samples[r.bad][0], samples[r.bad][1:]
	}
	return r
}

// write makes the key.
func (r *row) write() {
	r.key, r.err, r.bad = nil, nil, ""
	w := said.NewRowValues(r.schema, said.Values{})
	for i := range w.Fields {
		f := &w.Fields[i]
		if r.texts[f.Name] == "" && f.Optional {
			continue
		}
		if r.err = w.SetText(i, []byte(r.texts[f.Name])); r.err != nil {
			r.bad = f.Name
			return
		}
	}
	if r.key, r.err = w.Key(); r.err != nil {
		if e := (*rowkey.Error)(nil); errors.As(r.err, &e) {
			r.bad = e.Field
		}
	}
}

func (r *row) view() *keyView {
	if r.err != nil {
		return &keyView{Error: firstLine(r.err), Field: r.bad}
	}
	v := &keyView{Hex: hex.EncodeToString(r.key), Shell: shell.Text(r.key), Bytes: len(r.key)}
	pieces, err := r.schema.Pieces(r.key, nil)
	v.Pieces = piecesOf(pieces)
	if err != nil {
		v.Error = firstLine(said.Reason(err))
	}
	return v
}

func piecesOf(pieces []rowkey.Piece) (out []pieceView) {
	for i, p := range pieces {
		if p.Notation == "" {
			i = -1
		}
		out = append(out, pieceView{i, hex.EncodeToString(p.Bytes), p.Text, p.Problem})
	}
	return out
}

// inGo is what an error of a full scan says to a program: its function of Go.
var inGo = pattern.New(`[,;]? ?(or )?FullScan\(\) permits it|: query reads the whole table`)

// planOf is what a question reads; conds is nil if it cannot be asked.
func planOf(s *rowkey.Schema, args []string, t *tableView, lang string) (v planView, conds []rowkey.Cond) {
	v.Conds = []condView{}
	names := said.FieldNames(said.Supplied(s))
	var groups [][]rowkey.Cond
	for _, text := range args {
		c := condView{Text: text}
		c.Field, _, _, _ = said.SplitCond(text)
		group, err := said.ParseConds(s, said.Values{}, []string{text})
		if err != nil {
			c.Error = firstLine(err)
			if c.Field != "" && !slices.Contains(names, c.Field) && v.Cannot == "" {
				v.Cannot = c.Field
			}
			if v.Error == "" {
				v.Error = c.Error
			}
		}
		groups = append(groups, slices.Concat(group...))
		v.Conds = append(v.Conds, c)
	}
	if v.Error != "" {
		return v, nil
	}
	conds = append([]rowkey.Cond{}, slices.Concat(groups...)...)
	p, err := s.Scan(conds...)
	if errors.Is(err, rowkey.ErrFullScan) {
		v.Whole, v.Error = true, inGo.ReplaceAllString(firstLine(said.Reason(err)), "")
		v.Share, v.Stripes, v.Regions = 1, [][2]int{{0, t.Keys}}, len(t.Regions)+1
		if p, err = s.Scan(append(slices.Clone(conds), rowkey.FullScan())...); err == nil {
			v.Wanted, v.Why = t.matching(p), reasonsOf(p, lang)
		}
		return v, conds
	}
	if err != nil {
		v.Error = firstLine(said.Crossed(s, args, groups, said.Reason(err)))
		return v, conds
	}
	v.Exact, v.Count, v.Why = p.Exact(), p.Len(), reasonsOf(p, lang)
	if empty := said.WhyEmpty(lang, s, p, args, groups); empty != "" {
		v.Why = append(v.Why, reason{"", empty})
	}
	for r := range p.Ranges() {
		if len(v.Ranges) == maxShown {
			break
		}
		v.Ranges = append(v.Ranges, rangeView{hex.EncodeToString(r.Start()), hex.EncodeToString(r.Stop())})
	}
	for range p.Keys() {
		if v.Gets++; v.Gets > 1024 {
			break
		}
	}
	t.meet(p, &v)
	return v, conds
}

// reasonsOf say how each component of a plan is read.
func reasonsOf(p *rowkey.Plan, lang string) (out []reason) {
	for _, r := range inside.Plan(p).Reasons() {
		out = append(out, reason{r.Field, r.In(lang)})
	}
	return out
}

// ruleView is a rule of advice as its page has it.
type ruleView struct {
	Name   string `json:"name"`
	Hurts  string `json:"hurts"`
	Mend   string `json:"mend"`
	Ignore string `json:"ignore"`
}

// rules are all rules of advice.
func rules(struct{}) (out []ruleView, err error) {
	for _, r := range advice.Rules() {
		out = append(out, ruleView{r.Name, r.Hurts, r.Mend, r.Ignore})
	}
	return out, nil
}

var (
	inBrackets = pattern.New(`\[[^\[\]]*\]`)
	ofField    = pattern.New(`\[[^\[\]]*\(([\p{L}\p{N}_.-]+)\)[^\[\]]*\]`)
	named      = pattern.New(`\[([\p{L}\p{N}_.-]+)[^\[\]()]*\]`)
	word       = pattern.New(`[\p{L}\p{N}_.-]+`)
)

// mender collects designs that Parse takes: a mend that is wrong again is never offered.
type mender struct {
	text string
	out  []mend
}

const mostMends = 4

func (m *mender) add(label, notation string) {
	if len(m.out) >= mostMends || slices.ContainsFunc(m.out, func(o mend) bool { return o.Notation == notation }) {
		return
	}
	if _, err := rowkey.Parse("", notation); err == nil {
		m.out = append(m.out, mend{label, notation})
	}
}

// mendsOf are small changes at the place of a problem, of which those remain that Parse takes. The
// smallest comes first.
func mendsOf(text string, at int) []mend {
	m := &mender{text: text}
	if strings.Count(text, "[") > strings.Count(text, "]") {
		closed := strings.TrimRight(text, " \n") + "]"
		m.add(closed, closed)
	}
	if at < 0 || at > len(text) {
		at = len(text)
	}
	m.words(at)
	m.piece(at)
	if len(m.out) == 0 {
		m.inputs(at)
	}
	if !strings.ContainsAny(text, "[]") {
		m.bare()
	}
	return m.out
}

// longestWord is how long a word is that somebody may have mistyped. A pasted key is one of thousands
// of letters, and each pair of such takes seconds to compare.
const longestWord = 100

// words takes another word of the design or of the notation for one that is nearly the same.
func (m *mender) words(at int) {
	known := append(word.FindAllString(m.text, -1), notation.Words()...)
	known = append(known, "ms", "s", "us", "ns", "min", "max-ms", "max-s", "md5", "sha1", "sha256", "murmur3")
	for _, w := range word.FindAllStringIndex(m.text, -1) {
		if at < w[0]-1 || at > w[1]+1 || w[1]-w[0] > longestWord {
			continue
		}
		wrong := m.text[w[0]:w[1]]
		for _, other := range known {
			if d := said.Distance(wrong, other); d > 0 && d <= 2 && d < len(other) && d < len(wrong) {
				m.add(wrong+" → "+other, m.text[:w[0]]+other+m.text[w[1]:])
			}
		}
	}
}

// piece ends a component, or gives it a width or a size.
func (m *mender) piece(at int) {
	for _, b := range inBrackets.FindAllStringIndex(m.text, -1) {
		if at < b[0] || at > b[1] {
			continue
		}
		before, piece, after := m.text[:b[0]], m.text[b[0]:b[1]], m.text[b[1]:]
		inner := strings.TrimSuffix(piece, "]")
		instead := func(new string) { m.add(piece+" → "+new, before+new+after) }
		if after != "" {
			instead(piece + "['_']")
			instead(piece + `['\x00']`)
		}
		if name := word.FindString(inner); inner == "["+name {
			instead(inner + ":8]")
		}
		if i := strings.LastIndexByte(inner, ':'); i > 0 {
			for _, size := range []string{"8", "4", "2", "1"} {
				instead(inner[:i+1] + size + "]")
			}
		}
		for _, option := range []string{" fixed(8)", " escaped", " pad(16,' ')", " lenprefix(1)"} {
			instead(inner + option + "]")
		}
	}
}

// inputs gives a salt or a hash of an unknown field one that is there, or adds the field.
func (m *mender) inputs(at int) {
	for _, b := range ofField.FindAllStringSubmatchIndex(m.text, -1) {
		if at < len(m.text) && (at < b[0] || at > b[1]) {
			continue
		}
		wrong := m.text[b[2]:b[3]]
		for _, n := range named.FindAllStringSubmatch(m.text, -1) {
			m.add(wrong+" → "+n[1], m.text[:b[2]]+n[1]+m.text[b[3]:])
		}
		m.add("+ ["+wrong+"]", m.text+"["+wrong+"]")
		m.add("+ ["+wrong+"]['_']", m.text[:b[1]]+"["+wrong+"]['_']"+m.text[b[1]:])
	}
}

// bare puts names without brackets into some.
func (m *mender) bare() {
	names := strings.FieldsFunc(m.text, func(r rune) bool { return strings.ContainsRune(" +,_|-\n\t", r) })
	all := "[" + strings.Join(names, "]['_'][") + "]"
	m.add(all, all)
}

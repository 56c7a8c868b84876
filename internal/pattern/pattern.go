// Package pattern has regular expressions that are compiled when they are first used. Those of
// package draft and of the command's readers take 3 MB, which a program that never asks for them
// does not pay.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of regexp.Regexp.
type Pattern struct{ compiled func() *regexp.Regexp }

// New is the pattern of a text that regexp compiles. One that it refuses panics when it is used;
// a test that calls Compile finds it before.
func New(text string) *Pattern {
	p := &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	all = append(all, p)
	return p
}

// all are the patterns of the program. They are variables of packages: none is made later.
var all []*Pattern

// Compile compiles all patterns of the program, and says how many they are.
func Compile() int {
	for _, p := range all {
		p.compiled()
	}
	return len(all)
}

func (p *Pattern) MatchString(s string) bool            { return p.compiled().MatchString(s) }
func (p *Pattern) Match(b []byte) bool                  { return p.compiled().Match(b) }
func (p *Pattern) FindString(s string) string           { return p.compiled().FindString(s) }
func (p *Pattern) FindStringIndex(s string) []int       { return p.compiled().FindStringIndex(s) }
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}
func (p *Pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}
func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}
func (p *Pattern) Split(s string, n int) []string { return p.compiled().Split(s, n) }

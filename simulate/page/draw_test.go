package page

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hbase-rowkey/rowkey/simulate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Even tables look alike whatever their number of regions, and brighter is hotter.
func TestScaleOfColours(t *testing.T) {
	assert.Equal(t, brightness(1.0/16, 1.0/16), brightness(1.0/32, 1.0/32))
	assert.Equal(t, 1.0, brightness(0.5, 1.0/32))
	last := 0.0
	for i := 1; i <= 500; i++ {
		b := brightness(float64(i)/1000, 1.0/64)
		assert.GreaterOrEqual(t, b, last, i)
		last = b
	}
}

// The line of the hottest share breaks where windows have few rows: it does not fall to 0.
func TestLineBreaks(t *testing.T) {
	designs := []simulate.Design{designOf("d", "[salt32(seller)][seller]['_'][ms(at)]")}
	const n = 40_000
	s, err := simulate.New(designs, nil, simulate.Options{Seen: n})
	require.NoError(t, err)
	fill(t, s, designs, n, func(i int) order {
		at := day.Add(time.Duration(i) * time.Second)
		if i >= n/2 {
			at = at.Add(12 * time.Hour) // a night without rows
		}
		return order{seller: fmt.Sprint(i * 7919 % 5000), at: at}
	})
	r := s.Report()
	line := regexp.MustCompile(`class="line" d="([^"]*)"`).FindStringSubmatch(drawing(r, r.Designs[0].Grid(64)))
	require.NotNil(t, line)
	assert.Equal(t, 2, strings.Count(line[1], "M"))
	assert.NotContains(t, line[1], fmt.Sprintf("V%.1f", float64(plotTop-6)))
}

// Each design is said in whole sentences, and each sentence ends in one full stop.
func TestPictureInWords(t *testing.T) {
	designs := []simulate.Design{designOf("a", "[seller]['_'][ms(at)]"), designOf("b", "[salt32(seller)][seller]['_'][ms(at)]")}
	s, err := simulate.New(designs, nil, simulate.Options{})
	require.NoError(t, err)
	fill(t, s, designs, 10, func(i int) order { return order{seller: fmt.Sprint(i), at: day} })
	words := regexp.MustCompile(`aria-label="([^"]*)"`).FindStringSubmatch(SVG(s.Report()))
	require.NotNil(t, words)
	assert.Regexp(t, `^a Too few .*region\. b Too few .*region\.$`, words[1])
}

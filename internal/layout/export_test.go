package layout

import (
	"reflect"

	"github.com/hbase-rowkey/rowkey/internal/clock"
)

// Untouched reports that what many components and steps have alike is empty, as it was.
func Untouched() bool {
	return noUnit == clock.Unit{} && reflect.DeepEqual(uncomputed, computed{}) && reflect.DeepEqual(noNarrowing, narrowing{}) && reflect.DeepEqual(noMore, hotMore{}) && reflect.DeepEqual(noSiteMore, siteMore{})
}

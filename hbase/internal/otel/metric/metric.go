// Package metric has the shapes of otel/metric.
package metric

import (
	"context"

	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/attribute"
)

// RecordOption is an option of Record.
type RecordOption interface{}

// MeasurementOption is one of every measurement.
type MeasurementOption interface{ RecordOption }

// WithAttributes gives a measurement attributes.
func WithAttributes(attributes ...attribute.KeyValue) MeasurementOption { return attributes }

// Float64Histogram records values.
type Float64Histogram interface {
	Record(ctx context.Context, incr float64, options ...RecordOption)
}

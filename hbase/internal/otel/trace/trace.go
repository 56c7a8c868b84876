// Package trace has the shapes of otel/trace.
package trace

import (
	"context"

	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/attribute"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/codes"
)

// SpanKind is what a span is of.
type SpanKind int

// SpanKindClient is a request to another program.
const SpanKindClient SpanKind = 3

// SpanStartOption is an option of Start.
type SpanStartOption interface{}

// SpanStartEventOption is one of Start and of events.
type SpanStartEventOption interface{ SpanStartOption }

// WithSpanKind sets the kind of a span.
func WithSpanKind(kind SpanKind) SpanStartOption { return kind }

// WithAttributes gives a span attributes.
func WithAttributes(attributes ...attribute.KeyValue) SpanStartEventOption { return attributes }

// EventOption is an option of RecordError.
type EventOption interface{}

// SpanEndOption is an option of End.
type SpanEndOption interface{}

// Span is an operation.
type Span interface {
	End(options ...SpanEndOption)
	RecordError(err error, options ...EventOption)
	SetStatus(code codes.Code, description string)
	SetAttributes(kv ...attribute.KeyValue)
}

// Tracer makes spans.
type Tracer interface {
	Start(ctx context.Context, spanName string, opts ...SpanStartOption) (context.Context, Span)
}

package hbase_test

import (
	"context"
	"time"

	"github.com/hbase-rowkey/rowkey/hbase"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/attribute"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/codes"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/metric"
	"github.com/hbase-rowkey/rowkey/hbase/internal/otel/trace"
)

// What docs/hbase.md shows, which has OpenTelemetry's own packages in place of these shapes.

// observed makes a span of each call, and records how long it took.
type observed struct {
	tracer  trace.Tracer
	seconds metric.Float64Histogram
}

func (o observed) Begin(ctx context.Context, call hbase.Call) (context.Context, func(hbase.Outcome)) {
	about := []attribute.KeyValue{
		attribute.String("db.system.name", "hbase"),
		attribute.String("db.operation.name", call.Name),
		attribute.String("db.collection.name", call.Table),
	}
	ctx, span := o.tracer.Start(ctx, call.Name+" "+call.Table, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...))
	began := time.Now()
	return ctx, func(out hbase.Outcome) {
		o.seconds.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(about...))
		span.SetAttributes(attribute.Int("rows", out.Rows), attribute.Int("tries", out.Tries))
		if out.Err != nil {
			span.RecordError(out.Err)
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

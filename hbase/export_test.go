package hbase

import "time"

// IdleLong is how long a connection may be idle without being looked at.
var IdleLong = &idleLong

// DownFor is how long a gateway that could not be reached is passed over.
var DownFor = &downFor

// WaitBefore is how long Retry waits before a try.
func WaitBefore(try int, wait time.Duration) time.Duration { return retry{wait: wait}.before(try) }

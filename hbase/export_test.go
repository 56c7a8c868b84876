package hbase

// IdleLong is how long a connection may be idle without being looked at.
var IdleLong = &idleLong

// The part of HBase's Thrift2 service that package hbase calls. The names, the
// numbers and the types are the wire format: they are those of the definition
// in the jar of hbase-thrift 2.6.1 (org/apache/hadoop/hbase/thrift2/hbase.thrift).
// What is left out is never sent, and passed over where it is received.
// generate.sh makes internal/thrift2 of it.

namespace go thrift2

struct TColumn {
  1: required binary family
  2: optional binary qualifier
  3: optional i64 timestamp
}

struct TColumnValue {
  1: required binary family
  2: required binary qualifier
  3: required binary value
  4: optional i64 timestamp
}

struct TResult {
  1: optional binary row // left out where there is no such row
  2: required list<TColumnValue> columnValues
}

struct TGet {
  1: required binary row
  2: optional list<TColumn> columns
}

struct TPut {
  1: required binary row
  2: required list<TColumnValue> columnValues
}

struct TDelete {
  1: required binary row
  2: optional list<TColumn> columns
}

struct TScan {
  1: optional binary startRow
  2: optional binary stopRow
  3: optional list<TColumn> columns
  4: optional i32 caching
  5: optional i32 maxVersions = 1 // 0 finds no rows, and is no error
  7: optional binary filterString
  11: optional bool reversed
  15: optional i32 limit
  18: optional binary filterBytes
}

struct THRegionInfo {
  1: required i64 regionId
  2: required binary tableName
  3: optional binary startKey
  4: optional binary endKey
}

struct TServerName {
  1: required string hostName
  2: optional i32 port
  3: optional i64 startCode
}

struct THRegionLocation {
  1: required TServerName serverName
  2: required THRegionInfo regionInfo
}

struct TTableName {
  1: optional binary ns
  2: required binary qualifier
}

struct TColumnFamilyDescriptor {
  1: required binary name
}

struct TTableDescriptor {
  1: required TTableName tableName
  2: optional list<TColumnFamilyDescriptor> columns
}

exception TIOError {
  1: optional string message
  2: optional bool canRetry
}

service THBaseService {
  TResult get(1: required binary table, 2: required TGet tget) throws (1: TIOError io)
  list<TResult> getMultiple(1: required binary table, 2: required list<TGet> tgets) throws (1: TIOError io)
  void put(1: required binary table, 2: required TPut tput) throws (1: TIOError io)
  void putMultiple(1: required binary table, 2: required list<TPut> tputs) throws (1: TIOError io)
  list<TDelete> deleteMultiple(1: required binary table, 2: required list<TDelete> tdeletes) throws (1: TIOError io)
  list<TResult> getScannerResults(1: required binary table, 2: required TScan tscan, 3: i32 numRows = 1) throws (1: TIOError io)
  list<THRegionLocation> getAllRegionLocations(1: required binary table) throws (1: TIOError io)
  bool tableExists(1: TTableName tableName) throws (1: TIOError io)
  void createTable(1: required TTableDescriptor desc, 2: list<binary> splitKeys) throws (1: TIOError io)
  void deleteTable(1: required TTableName tableName) throws (1: TIOError io)
  void disableTable(1: required TTableName tableName) throws (1: TIOError io)
}

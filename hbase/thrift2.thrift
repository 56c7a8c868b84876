// The part of HBase's Thrift2 service that package hbase calls. The names, the
// numbers and the types are the wire format: they are those of the definition
// in the jar of hbase-thrift 2.6.1 (org/apache/hadoop/hbase/thrift2/hbase.thrift).
// What is left out is never sent, and passed over where it is received.
// generate.sh makes internal/thrift2 of it.

namespace go thrift2

struct TTimeRange {
  1: required i64 minStamp
  2: required i64 maxStamp // not in it
}

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

struct TColumnIncrement {
  1: required binary family
  2: required binary qualifier
  3: optional i64 amount = 1
}

struct TResult {
  1: optional binary row // left out where there is no such row
  2: required list<TColumnValue> columnValues
}

struct TGet {
  1: required binary row
  2: optional list<TColumn> columns
  4: optional TTimeRange timeRange
  5: optional i32 maxVersions
  6: optional binary filterString
  15: optional binary filterBytes
}

struct TPut {
  1: required binary row
  2: required list<TColumnValue> columnValues
  5: optional map<string, binary> attributes // binary keys are the same on the wire
}

// What a delete of columns takes of each: the cell of its timestamp, or the newest;
// all cells up to it; all of the family up to it; all of the family of that time.
enum TDeleteType {
  DELETE_COLUMN = 0
  DELETE_COLUMNS = 1
  DELETE_FAMILY = 2
  DELETE_FAMILY_VERSION = 3
}

struct TDelete {
  1: required binary row
  2: optional list<TColumn> columns
  3: optional i64 timestamp // of a whole row; columns have their own
  4: optional TDeleteType deleteType = 1
}

struct TIncrement {
  1: required binary row
  2: required list<TColumnIncrement> columns
}

struct TAppend {
  1: required binary row
  2: required list<TColumnValue> columns
}

union TMutation {
  1: TPut put
  2: TDelete deleteSingle
}

struct TRowMutations {
  1: required binary row
  2: required list<TMutation> mutations
}

enum TCompareOp {
  LESS = 0
  LESS_OR_EQUAL = 1
  EQUAL = 2
  NOT_EQUAL = 3
  GREATER_OR_EQUAL = 4
  GREATER = 5
}

struct TScan {
  1: optional binary startRow
  2: optional binary stopRow
  3: optional list<TColumn> columns
  4: optional i32 caching
  5: optional i32 maxVersions = 1 // 0 finds no rows, and is no error
  6: optional TTimeRange timeRange
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

enum TBloomFilterType {
  NONE = 0
  ROW = 1
  ROWCOL = 2
  ROWPREFIX_FIXED_LENGTH = 3
}

enum TCompressionAlgorithm {
  LZO = 0
  GZ = 1
  NONE = 2
  SNAPPY = 3
  LZ4 = 4
  BZIP2 = 5
  ZSTD = 6
}

enum TDataBlockEncoding {
  NONE = 0
  PREFIX = 2
  DIFF = 3
  FAST_DIFF = 4
  ROW_INDEX_V1 = 7
}

enum TKeepDeletedCells {
  FALSE = 0
  TRUE = 1
  TTL = 2
}

struct TColumnFamilyDescriptor {
  1: required binary name
  2: optional map<string, binary> attributes // binary keys are the same on the wire
  3: optional map<string, string> configuration
  4: optional i32 blockSize
  5: optional TBloomFilterType bloomnFilterType
  6: optional TCompressionAlgorithm compressionType
  8: optional TDataBlockEncoding dataBlockEncoding
  9: optional TKeepDeletedCells keepDeletedCells
  10: optional i32 maxVersions
  11: optional i32 minVersions
  13: optional i32 timeToLive // seconds
  20: optional bool inMemory
}

struct TTableDescriptor {
  1: required TTableName tableName
  2: optional list<TColumnFamilyDescriptor> columns
}

struct TNamespaceDescriptor {
  1: required string name
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
  // An empty value asks for a column that is not there, or empty.
  bool checkAndMutate(1: required binary table, 2: required binary row, 3: required binary family, 4: required binary qualifier, 5: required TCompareOp compareOp, 6: binary value, 7: required TRowMutations rowMutations) throws (1: TIOError io)
  void mutateRow(1: required binary table, 2: required TRowMutations trowMutations) throws (1: TIOError io)
  TResult increment(1: required binary table, 2: required TIncrement tincrement) throws (1: TIOError io)
  TResult append(1: required binary table, 2: required TAppend tappend) throws (1: TIOError io)
  list<TDelete> deleteMultiple(1: required binary table, 2: required list<TDelete> tdeletes) throws (1: TIOError io)
  list<TResult> getScannerResults(1: required binary table, 2: required TScan tscan, 3: i32 numRows = 1) throws (1: TIOError io)
  list<THRegionLocation> getAllRegionLocations(1: required binary table) throws (1: TIOError io)
  bool tableExists(1: TTableName tableName) throws (1: TIOError io)
  void createTable(1: required TTableDescriptor desc, 2: list<binary> splitKeys) throws (1: TIOError io)
  void deleteTable(1: required TTableName tableName) throws (1: TIOError io)
  void disableTable(1: required TTableName tableName) throws (1: TIOError io)
  TTableDescriptor getTableDescriptor(1: required TTableName table) throws (1: TIOError io)
  void createNamespace(1: required TNamespaceDescriptor namespaceDesc) throws (1: TIOError io)
  void deleteNamespace(1: required string name) throws (1: TIOError io)
  list<TNamespaceDescriptor> listNamespaceDescriptors() throws (1: TIOError io)
}

package com.acme.bulk;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The state of a change of a live table in which this job may move rows. rowkey-change load gives it
 * to the job that it starts, in the environment, after all clients have confirmed that state.
 */
record Turn(
    String change, String states, String number, TableName from, TableName to, boolean back, long since) {
  static Turn ofEnvironment(Map<String, String> env) throws IOException {
    String[] names = {"", "_STATES", "_NUMBER", "_FROM", "_TO", "_DIRECTION", "_SINCE"};
    String[] values = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      values[i] = env.get("ROWKEY_CHANGE" + names[i]);
      if (values[i] == null) {
        throw new IOException(
            "ROWKEY_CHANGE" + names[i] + " is not set: start this job by rowkey-change load");
      }
    }
    TableName from = TableName.valueOf(values[3]);
    TableName to = TableName.valueOf(values[4]);
    if (from.equals(to)) {
      throw new IOException("the change has one table for both layouts: move it by rowkey-change move");
    }
    return new Turn(
        values[0], values[1], values[2], from, to, values[5].equals("back"), Long.parseLong(values[6]));
  }

  /** Asks whether the change is in this state still; the error says that it is not. */
  void holds(Connection c) throws IOException {
    try (Table t = c.getTable(TableName.valueOf(states))) {
      Get get = new Get(Job.bytes(change)).addColumn(Job.bytes("s"), Job.bytes("number"));
      Result r = t.get(get);
      String now = r.isEmpty() ? "none" : Bytes.toString(r.value());
      if (!now.equals(number)) {
        throw new IOException(
            "this job was begun in state " + number + " of " + change + ", and this is " + now
                + ": nothing is loaded, begin anew");
      }
    }
  }
}

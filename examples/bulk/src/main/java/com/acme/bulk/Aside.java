package com.acme.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * What a task refuses, a line each: the reason, a tabulator, the line or row itself. A task that is
 * tried again writes its file anew.
 */
final class Aside implements Closeable {
  private final Configuration conf;
  private final Path path;
  private FSDataOutputStream out;

  Aside(TaskAttemptContext task) {
    conf = task.getConfiguration();
    path =
        new Path(
            new Path(conf.get("work"), "refused"), task.getTaskAttemptID().getTaskID().toString());
  }

  void refuse(String reason, String what) throws IOException {
    if (out == null) {
      out = path.getFileSystem(conf).create(path, true);
    }
    out.write((reason.replaceAll("[\t\n\r]", " ") + "\t" + what + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}

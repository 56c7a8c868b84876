package com.acme.bulk;

import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Loads the HFiles that rekey --no-load has written. */
@Command(
    name = "complete",
    description = "Loads the HFiles of rekey --no-load, if the change is in that job's state still.",
    mixinStandardHelpOptions = true)
final class Complete implements Callable<Integer> {
  @Mixin private Job job;

  @Override
  public Integer call() throws Exception {
    Turn turn = Turn.ofEnvironment(System.getenv());
    Configuration conf = job.conf();
    try (Connection c = ConnectionFactory.createConnection(conf)) {
      turn.holds(c);
      job.load(conf, c, turn.to());
      return 0;
    }
  }
}

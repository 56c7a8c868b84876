package com.acme.bulk;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Loads and re-keys large tables: the jobs of docs/bulk.md. */
@Command(
    name = "bulk",
    description = "Loads and re-keys large HBase tables by HFiles.",
    mixinStandardHelpOptions = true,
    subcommands = {Load.class, Rekey.class, Complete.class},
    footer = "Exit: 0 fine, 1 lines that are refused or nothing is loaded, 2 misuse.")
public final class Bulk {
  public static void main(String[] args) {
    CommandLine line = new CommandLine(new Bulk());
    line.setExecutionExceptionHandler(
        (e, command, result) -> {
          System.err.println("bulk: " + Job.reason(e));
          return 1;
        });
    int code = line.execute(args);
    System.out.flush();
    // What HBase's client leaves behind would keep the process alive.
    System.exit(code);
  }
}

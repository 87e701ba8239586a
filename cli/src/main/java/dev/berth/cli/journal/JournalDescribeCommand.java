package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.terminal.Output;
import dev.berth.core.config.Durations;
import dev.berth.core.error.Printable;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth journal describe}: shows what a journal holds. */
@Command(
    name = "describe",
    header = "Shows the files, the records and the settings in a journal.",
    description = "Reads only; the scheduler may run. Fails if there is damage, at its end.",
    footer = {"  berth journal describe journal/"})
final class JournalDescribeCommand implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private JournalParameter parameter = new JournalParameter();

  @Override
  public Integer call() {
    JournalFolder folder = parameter.folder();
    PrintWriter out = output.out();
    JournalInspection journal = folder.inspect();
    out.printf(
        "records %s to %s, %s bytes%n",
        journal.firstNumber(), journal.lastNumber(), journal.size());
    journal
        .segments()
        .forEach(
            each ->
                out.printf(
                    "  %s: records %s to %s by writer %s, %s bytes%n",
                    each.file(), each.first(), each.last(), each.fence(), each.size()));
    journal
        .snapshots()
        .forEach(
            each ->
                out.printf(
                    "  %s: snapshot up to record %s by writer %s, %s bytes%n",
                    each.file(), each.number(), each.fence(), each.size()));
    for (JournalFinding each : journal.findings()) {
      out.printf("  %s%n", Printable.line(each.toString()));
    }
    try {
      describeRecords(journal, out);
    } catch (IOException unreadable) {
      throw folder.unreadable(unreadable);
    }
    JournalVerifyCommand.requireUndamaged(folder, journal);
    return ExitCode.DONE;
  }

  private static void describeRecords(JournalInspection journal, PrintWriter out)
      throws IOException {
    Map<String, Long> kinds = new TreeMap<>();
    Entry.@Nullable Opened opened = null;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    try (JournalCursor cursor = journal.read(journal.firstNumber())) {
      while (cursor.next()) {
        Entry entry;
        try {
          entry = EntryFormat.read(cursor.bytes());
        } catch (UnreadableException damaged) {
          throw new BadInputException(
              "record %s: %s".formatted(cursor.number(), damaged.getMessage()), damaged);
        }
        if (entry instanceof Entry.Opened start) {
          opened = start;
        } else if (entry instanceof Entry.Applied applied) {
          first = Math.min(first, applied.now());
          last = Math.max(last, applied.now());
        }
        kinds.merge(kind(entry), 1L, Long::sum);
      }
    }
    if (opened != null) {
      out.printf(
          "policy %s %s, seed %s, written by Berth %s%n",
          Printable.line(opened.settings().policy()),
          Printable.line(opened.settings().policyConfig()),
          opened.settings().seed(),
          Printable.line(opened.engine()));
    }
    if (first <= last) {
      out.printf(
          "inputs from %s ns to %s ns, %s%n",
          first, last, Durations.format(Duration.ofNanos(last - first)));
    }
    kinds.forEach((kind, count) -> out.printf("  %,12d  %s%n", count, kind));
  }

  private static String kind(Entry entry) {
    if (entry instanceof Entry.Applied applied) {
      return "input " + applied.input().getClass().getSimpleName();
    }
    if (entry instanceof Entry.Passed) {
      return "pass";
    }
    return entry instanceof Entry.Settled ? "action carried out" : "start of a scheduler";
  }
}

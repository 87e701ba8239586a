package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.session.SessionCommand;
import dev.berth.core.config.Durations;
import dev.berth.core.error.Printable;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth journal describe}: shows what a journal holds. */
@Command(
    name = "describe",
    header = "Shows the files, the records and the settings in a journal.",
    description = "Reads only; the scheduler may run. Fails if there is damage, at its end.",
    footer = {"  berth journal describe journal/"})
final class JournalDescribeCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter parameter = new JournalParameter();

  @Override
  public void run() {
    JournalFolder folder = parameter.folder();
    PrintWriter out = out();
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
    describeRecords(folder, journal, out);
    folder.requireUndamaged(journal);
  }

  private static void describeRecords(
      JournalFolder folder, JournalInspection journal, PrintWriter out) {
    Map<String, Long> kinds = new TreeMap<>();
    List<Entry.Opened> opened = new ArrayList<>();
    LongSummaryStatistics times = new LongSummaryStatistics();
    folder.read(
        journal,
        journal.firstNumber(),
        each -> {
          Entry entry;
          try {
            entry = EntryFormat.read(each.bytes());
          } catch (UnreadableException damaged) {
            throw new BadInputException(
                "record %s: %s".formatted(each.number(), damaged.getMessage()), damaged);
          }
          if (entry instanceof Entry.Opened start) {
            opened.add(start);
          } else if (entry instanceof Entry.Applied applied) {
            times.accept(applied.now());
          }
          kinds.merge(kind(entry), 1L, Long::sum);
        });
    if (!opened.isEmpty()) {
      Entry.Opened last = opened.get(opened.size() - 1);
      out.printf(
          "policy %s %s, seed %s, written by Berth %s%n",
          Printable.line(last.settings().policy()),
          Printable.line(last.settings().policyConfig()),
          last.settings().seed(),
          Printable.line(last.engine()));
    }
    if (times.getCount() > 0) {
      out.printf(
          "inputs from %s ns to %s ns, %s%n",
          times.getMin(),
          times.getMax(),
          Durations.format(Duration.ofNanos(times.getMax() - times.getMin())));
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

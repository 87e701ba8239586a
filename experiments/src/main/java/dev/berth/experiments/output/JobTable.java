package dev.berth.experiments.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.Case;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.JobFile;
import dev.berth.experiments.RequestLife;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.report.render.JsonText;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests of all runs of an experiment as a table: a row for each run and request. Rows are
 * written as they are read, so memory use does not depend on their number.
 *
 * <p>The runs are in the order of the experiment, the requests of a run in that of {@link JobFile}.
 * A failed run has no rows. The same experiment gives the same bytes.
 */
public final class JobTable {

  private static final List<String> CASE = List.of("workload", "infrastructure", "scale", "seed");

  private static final List<String> JOB =
      List.of(
          "policy",
          "id",
          "class",
          "user",
          "submitted_s",
          "placed_s",
          "started_s",
          "ended_s",
          "host",
          "placements",
          "preemptions",
          "service_s",
          "waiting_s",
          "availability",
          "slo_met",
          "outcome");

  private static final int DIGITS = 9;

  private JobTable() {}

  /** A format of the table. */
  public enum Format {
    /** Comma-separated values with a header. A value that is undefined or unknown is empty. */
    CSV,
    /** One JSON object a line. A value that is undefined or unknown is absent. */
    JSONL
  }

  /**
   * Writes the table.
   *
   * @param results runs whose {@linkplain CellResult#jobs jobs} were recorded
   * @param withCases whether the rows name the case
   * @param out the destination, left open; lines end in {@code \n}
   * @throws IOException if the jobs cannot be read, or writing fails
   */
  public static void write(List<CellResult> results, Format format, boolean withCases, Writer out)
      throws IOException {
    if (format == Format.CSV) {
      List<Object> header = new ArrayList<>(withCases ? CASE : List.of());
      header.addAll(JOB);
      out.append(CsvText.line(header)).append('\n');
    }
    for (CellResult each : results) {
      if (each.jobs().isPresent()) {
        JobFile.read(
            each.jobs().get(),
            job ->
                out.append(
                        format == Format.CSV
                            ? csv(each, job, withCases)
                            : json(each, job, withCases))
                    .append('\n'));
      }
    }
  }

  private static String csv(CellResult result, RequestLife job, boolean withCases) {
    List<Object> cells = new ArrayList<>();
    if (withCases) {
      Case setting = result.cell().setting();
      cells.add(setting.workload());
      cells.add(setting.infrastructure());
      cells.add(Numbers.plain(setting.scale()));
      cells.add(setting.seed());
    }
    cells.add(result.policy().label());
    cells.add(job.id());
    cells.add(job.serviceClass());
    cells.add(job.user().orElse(""));
    cells.add(seconds(job.submitted()));
    cells.add(secondsOrEmpty(job.placed()));
    cells.add(secondsOrEmpty(job.started()));
    cells.add(secondsOrEmpty(job.ended()));
    cells.add(job.host().orElse(""));
    cells.add(job.placements());
    cells.add(job.preemptions());
    cells.add(seconds(job.service()));
    cells.add(seconds(job.waiting()));
    cells.add(
        job.availability().isPresent()
            ? Numbers.fixed(job.availability().getAsDouble(), DIGITS)
            : "");
    cells.add(job.sloMet().map(met -> Boolean.toString(met)).orElse(""));
    cells.add(outcome(job));
    return CsvText.line(cells);
  }

  private static String json(CellResult result, RequestLife job, boolean withCases) {
    ObjectNode line = JsonText.object();
    if (withCases) {
      Case setting = result.cell().setting();
      line.put("workload", setting.workload());
      line.put("infrastructure", setting.infrastructure());
      line.put("scale", setting.scale());
      line.put("seed", setting.seed());
    }
    line.put("policy", result.policy().label());
    line.put("id", job.id());
    line.put("class", job.serviceClass());
    put(line, "user", job.user());
    put(line, "submitted", OptionalLong.of(job.submitted()));
    put(line, "placed", job.placed());
    put(line, "started", job.started());
    put(line, "ended", job.ended());
    put(line, "host", job.host());
    line.put("placements", job.placements());
    line.put("preemptions", job.preemptions());
    put(line, "service", OptionalLong.of(job.service()));
    put(line, "waiting", OptionalLong.of(job.waiting()));
    JsonText.put(line, "availability", job.availability());
    job.sloMet().ifPresent(met -> line.put("sloMet", met));
    line.put("outcome", outcome(job));
    return JsonText.line(line);
  }

  private static void put(ObjectNode line, String key, Optional<String> text) {
    text.ifPresent(known -> line.put(key, known));
  }

  private static void put(ObjectNode line, String key, OptionalLong nanos) {
    nanos.ifPresent(known -> line.put(key, new BigDecimal(seconds(known))));
  }

  private static String outcome(RequestLife job) {
    return job.end().name().toLowerCase(Locale.ROOT);
  }

  private static String secondsOrEmpty(OptionalLong nanos) {
    return nanos.isPresent() ? seconds(nanos.getAsLong()) : "";
  }

  /** Returns the exact number of seconds. */
  private static String seconds(long nanos) {
    return nanos == 0
        ? "0"
        : BigDecimal.valueOf(nanos, DIGITS).stripTrailingZeros().toPlainString();
  }
}

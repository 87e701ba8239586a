package dev.berth.experiments.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.store.JobFile;
import dev.berth.experiments.store.RequestLife;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.report.render.JsonText;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests of all runs of an experiment as a table: a row for each run and request. Rows are
 * written as they are read, so memory use does not depend on their number.
 *
 * <p>The runs are in the order of the experiment, the requests of a run in that of {@link JobFile}.
 * A failed run has no rows. The same experiment gives the same bytes.
 */
public final class JobTable {

  /**
   * A field of a row.
   *
   * @param column its name in CSV
   * @param key its name in JSON
   * @param of its value: text, a number of things, a share, seconds or a truth value; null if it is
   *     undefined or unknown
   */
  private record Field(
      String column, String key, BiFunction<CellResult, RequestLife, @Nullable Object> of) {}

  private static final List<Field> CASE =
      List.of(
          ofRun("workload", each -> each.cell().setting().workload()),
          ofRun("infrastructure", each -> each.cell().setting().infrastructure()),
          ofRun("scale", each -> each.cell().setting().scale()),
          ofCase("watchdog", RunSettings::watchdog),
          ofCase("margin", RunSettings::margin),
          ofRun("seed", each -> each.cell().setting().seed()));

  private static final List<Field> JOB =
      List.of(
          ofRun("policy", each -> each.policy().label()),
          ofJob("id", RequestLife::id),
          ofJob("class", RequestLife::serviceClass),
          ofJob("user", each -> each.user().orElse(null)),
          seconds("submitted", each -> OptionalLong.of(each.submitted())),
          seconds("placed", RequestLife::placed),
          seconds("started", RequestLife::started),
          seconds("ended", RequestLife::ended),
          ofJob("host", each -> each.host().orElse(null)),
          ofJob("placements", each -> (long) each.placements()),
          ofJob("preemptions", each -> (long) each.preemptions()),
          seconds("service", each -> OptionalLong.of(each.service())),
          seconds("waiting", each -> OptionalLong.of(each.waiting())),
          ofJob("availability", each -> orNull(each.availability())),
          new Field("slo_met", "sloMet", (result, job) -> job.sloMet().orElse(null)),
          ofJob("outcome", each -> each.end().name().toLowerCase(Locale.ROOT)));

  private static final int DIGITS = 9;

  private JobTable() {}

  private static Field ofCase(String name, Function<RunSettings, Duration> of) {
    return new Field(
        name + "_s",
        name,
        (result, job) ->
            exact(OptionalLong.of(of.apply(result.cell().setting().settings()).toNanos())));
  }

  private static Field ofRun(String name, Function<CellResult, Object> of) {
    return new Field(name, name, (result, job) -> of.apply(result));
  }

  private static Field ofJob(String name, Function<RequestLife, @Nullable Object> of) {
    return new Field(name, name, (result, job) -> of.apply(job));
  }

  private static Field seconds(String name, Function<RequestLife, OptionalLong> nanos) {
    return new Field(name + "_s", name, (result, job) -> exact(nanos.apply(job)));
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  /** Returns the exact number of seconds. */
  private static @Nullable BigDecimal exact(OptionalLong nanos) {
    return nanos.isEmpty()
        ? null
        : new BigDecimal(
            BigDecimal.valueOf(nanos.getAsLong(), DIGITS).stripTrailingZeros().toPlainString());
  }

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
   * @param results runs whose jobs were recorded
   * @param withCases whether the rows name the case
   * @param out the destination, left open; lines end in {@code \n}
   * @throws IOException if the jobs cannot be read, or writing fails
   */
  public static void write(List<CellResult> results, Format format, boolean withCases, Writer out)
      throws IOException {
    List<Field> fields =
        Stream.concat(withCases ? CASE.stream() : Stream.empty(), JOB.stream()).toList();
    if (format == Format.CSV) {
      out.append(CsvText.line(fields.stream().map(Field::column).toList())).append('\n');
    }
    for (CellResult each : results) {
      if (each.stored().isPresent()) {
        JobFile.read(
            each.stored().get().jobs(),
            job ->
                out.append(format == Format.CSV ? csv(fields, each, job) : json(fields, each, job))
                    .append('\n'));
      }
    }
  }

  private static String csv(List<Field> fields, CellResult result, RequestLife job) {
    List<Object> cells = new ArrayList<>();
    for (Field each : fields) {
      Object value = each.of().apply(result, job);
      if (value instanceof BigDecimal seconds) {
        cells.add(seconds.toPlainString());
      } else if (value instanceof Double number) {
        boolean isScale = CASE.contains(each);
        cells.add(isScale ? Numbers.plain(number) : Numbers.fixed(number, DIGITS));
      } else {
        cells.add(value == null ? "" : value);
      }
    }
    return CsvText.line(cells);
  }

  private static String json(List<Field> fields, CellResult result, RequestLife job) {
    ObjectNode line = JsonText.object();
    for (Field each : fields) {
      Object value = each.of().apply(result, job);
      if (value instanceof BigDecimal seconds) {
        line.put(each.key(), seconds);
      } else if (value != null) {
        line.putPOJO(each.key(), value);
      }
    }
    return JsonText.line(line);
  }
}

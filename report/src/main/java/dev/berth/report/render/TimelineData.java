package dev.berth.report.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.Column;
import dev.berth.timeline.RunTimeline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes a run for the script of a page: texts and columns of numbers one after the other, deflated
 * and in base 64. A column is its length and its numbers, a text its length in UTF-8 and its bytes.
 * A number is written in groups of seven bits, the lowest first; all are at least 0.
 *
 * <p>Times are whole multiples of a unit, so that they fit in 32 bits.
 */
final class TimelineData {

  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000_000;
  private static final long SHORT = 100_000 * MILLISECOND; // shorter runs are shown to the µs

  private final RunTimeline timeline;
  private final long unit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private TimelineData(RunTimeline timeline) {
    this.timeline = timeline;
    long fitting = timeline.end() < SHORT ? MICROSECOND : MILLISECOND;
    while (timeline.end() / fitting > Integer.MAX_VALUE) {
      fitting *= 10;
    }
    this.unit = fitting;
  }

  static ObjectNode of(TimelineChart.Run run) {
    TimelineData data = new TimelineData(run.timeline());
    ObjectNode node = JsonText.object().put("name", run.name()).put("explain", run.explain());
    node.set("unit", JsonText.number(data.unit / 1e9));
    return node.put("data", data.packed());
  }

  private String packed() {
    Deflater deflater = new Deflater();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
      write();
      bytes.writeTo(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // in memory
    } finally {
      deflater.end();
    }
    return Base64.getEncoder().encodeToString(packed.toByteArray());
  }

  /** Writes all columns, in the order in which the script reads them. */
  private void write() {
    List<RunTimeline.HostRow> hosts = timeline.hosts();
    RunTimeline.Instances instances = timeline.instances();
    RunTimeline.Spans spans = timeline.spans();
    RunTimeline.Marks marks = timeline.marks();
    number(time(timeline.end()));
    texts(hosts.stream().map(RunTimeline.HostRow::name).toList());
    column(hosts.size(), i -> hosts.get(i).lanes());
    texts(instances.ids());
    column(instances.serviceClass(), 0);
    ascending(instances.submitted());
    column(
        instances.ended().size(),
        i -> time(instances.ended().get(i)) - time(instances.submitted().get(i)));
    column(instances.end(), 0);
    column(instances.met(), 0);
    column(spans.state(), 0);
    column(spans.instance(), 1);
    column(spans.host(), 1);
    column(spans.lane(), 1);
    ascending(spans.from());
    column(spans.to().size(), i -> time(spans.to().get(i)) - time(spans.from().get(i)));
    column(marks.kind(), 0);
    ascending(marks.at());
    column(marks.instance(), 1);
    column(marks.other(), 1);
    column(marks.host(), 1);
    column(marks.lane(), 1);
    column(marks.why(), 1);
    texts(marks.texts());
  }

  private long time(long nanos) {
    return nanos / unit;
  }

  private void texts(List<String> texts) {
    number(texts.size());
    for (String each : texts) {
      byte[] utf8 = each.getBytes(StandardCharsets.UTF_8);
      number(utf8.length);
      bytes.writeBytes(utf8);
    }
  }

  private void ascending(Column times) {
    column(times.size(), i -> time(times.get(i)) - (i == 0 ? 0 : time(times.get(i - 1))));
  }

  private void column(Column values, int plus) {
    column(values.size(), i -> values.get(i) + plus);
  }

  private void column(int size, IntToLongFunction values) {
    number(size);
    for (int i = 0; i < size; i++) {
      number(values.applyAsLong(i));
    }
  }

  private void number(long value) {
    if (value < 0) {
      throw new IllegalStateException("A number of a timeline was negative: " + value);
    }
    long rest = value;
    while (rest > 0x7f) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }
}

package dev.berth.cli.trace;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A trace of <a href="https://perfetto.dev/docs/reference/synthetic-track-event">Perfetto</a>:
 * packets with events of tracks. The numbers are those of the fields in its {@code trace.proto},
 * {@code track_descriptor.proto} and {@code track_event.proto}.
 */
final class PerfettoSink implements TraceSink {

  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int INSTANT = 3;
  private static final int COUNTER = 4;
  private static final int EXPLICIT = 3; // order of the children of a track
  private static final long HOSTS = 1L << 40; // tracks of hosts, after those of lanes
  private static final long COUNTERS = 1L << 41;

  private final CodedOutputStream out;
  private final Set<Long> hosts = new HashSet<>(); // those with a track
  private final Map<String, Long> counters = new HashMap<>(); // by run and name

  PerfettoSink(OutputStream out) {
    this.out = CodedOutputStream.newInstance(out);
  }

  /** What is written into a message. */
  @FunctionalInterface
  private interface Fields {
    void writeTo(CodedOutputStream message) throws IOException;
  }

  private static void message(CodedOutputStream to, int field, Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream message = CodedOutputStream.newInstance(bytes, 256);
    fields.writeTo(message);
    message.flush();
    to.writeByteArray(field, bytes.toByteArray());
  }

  private void descriptor(long track, long parent, String name, Fields more) throws IOException {
    message(
        out,
        1,
        packet -> {
          packet.writeUInt32(10, 1); // trusted_packet_sequence_id
          message(
              packet,
              60,
              descriptor -> {
                descriptor.writeUInt64(1, track);
                if (parent != 0) {
                  descriptor.writeUInt64(5, parent);
                  descriptor.writeString(2, name);
                }
                more.writeTo(descriptor);
              });
        });
  }

  private void event(int type, long track, long at, Fields more) throws IOException {
    message(
        out,
        1,
        packet -> {
          packet.writeUInt64(8, at);
          packet.writeUInt32(10, 1);
          message(
              packet,
              11,
              event -> {
                event.writeEnum(9, type);
                event.writeUInt64(11, track);
                more.writeTo(event);
              });
        });
  }

  /** Tracks of all runs have different numbers. */
  private static long in(int run, long track) {
    return ((long) run << 44) + track;
  }

  @Override
  public void run(int run, String name) throws IOException {
    descriptor(
        in(run, 0),
        0,
        name,
        descriptor -> {
          message(
              descriptor,
              3,
              process -> {
                process.writeInt32(1, run);
                process.writeString(6, name);
              });
          descriptor.writeEnum(11, EXPLICIT);
        });
  }

  @Override
  public void lane(int run, long track, String host, int hostNumber, int lane) throws IOException {
    long parent = in(run, HOSTS + hostNumber);
    if (hosts.add(parent)) {
      descriptor(
          parent,
          in(run, 0),
          host,
          descriptor -> {
            descriptor.writeEnum(11, EXPLICIT);
            descriptor.writeInt32(12, hostNumber);
          });
    }
    descriptor(
        in(run, track),
        parent,
        "%s, lane %s".formatted(host, lane + 1),
        descriptor -> descriptor.writeInt32(12, lane));
  }

  @Override
  public void slice(int run, long track, Slice slice, List<Long> flows, Map<String, String> about)
      throws IOException {
    event(
        BEGIN,
        in(run, track),
        slice.from(),
        event -> {
          event.writeString(22, slice.category());
          event.writeString(23, slice.name());
          for (Map.Entry<String, String> each : about.entrySet()) {
            message(
                event,
                4, // a debug annotation
                annotation -> {
                  annotation.writeString(10, each.getKey());
                  annotation.writeString(6, each.getValue());
                });
          }
          for (long flow : flows) {
            event.writeFixed64(47, flow);
          }
        });
    event(END, in(run, track), slice.to(), event -> {});
  }

  @Override
  public void instant(int run, long track, String name, long at, long flow) throws IOException {
    event(
        INSTANT,
        in(run, track),
        at,
        event -> {
          event.writeString(23, name);
          if (flow != 0) {
            event.writeFixed64(48, flow); // it ends here
          }
        });
  }

  @Override
  public void counter(int run, String name, long at, double value) throws IOException {
    String key = run + " " + name;
    Long known = counters.get(key);
    long track = known == null ? in(run, COUNTERS + counters.size()) : known;
    if (known == null) {
      counters.put(key, track);
      descriptor(track, in(run, 0), name, descriptor -> message(descriptor, 8, counter -> {}));
    }
    event(COUNTER, track, at, event -> event.writeDouble(44, value));
  }

  void flush() throws IOException {
    out.flush();
  }
}

package dev.berth.benchmarks.peer;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Locale;

/** The virtual machine of one measurement, which {@link Peers} starts. */
final class PeerFork {

  /** The start of the line with the figures in JSON. */
  static final String RESULT = "RESULT ";

  private PeerFork() {}

  /** Takes a scheduler and its size; prints the figures. */
  public static void main(String[] args) throws IOException {
    PeerScheduler scheduler =
        PeerScheduler.valueOf(args[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    Task.Size size =
        new Task.Size(
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            Long.parseLong(args[4]),
            Long.parseLong(args[5]));
    Task.Figures figures = scheduler.task().run(size);
    System.out.println(RESULT + new ObjectMapper().writeValueAsString(figures.values()));
  }
}

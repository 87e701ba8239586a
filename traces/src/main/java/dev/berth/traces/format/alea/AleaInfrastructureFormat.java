package dev.berth.traces.format.alea;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.internal.util.Cells;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Infrastructures of the Alea simulator, {@code *.machines}. Each line is a cluster of equal nodes,
 * which become hosts {@code name-0}, {@code name-1} and so on, with the attribute {@code cluster}.
 * Memory is in units of 1,024 bytes. The speed must be 1, because all hosts of Berth have the same
 * speed. A file has at most {@value #MOST_HOSTS} hosts.
 */
public final class AleaInfrastructureFormat extends DeclaredFormat implements InfrastructureFormat {

  private static final List<String> FIELDS =
      List.of("id", "name", "nodes", "cores", "speed", "ram");
  private static final Shape FIRST =
      Shape.of("[0-9]++\\s++[^\\s,]++\\s++[0-9]++\\s++[0-9]++\\s++[0-9.]++\\s++[0-9]");
  private static final int MOST_CORES = 1_000_000;
  private static final int MOST_HOSTS = 100_000; // a short line must not fill the memory

  public AleaInfrastructureFormat() {
    super(
        "alea-machines",
        "clusters of the Alea simulator: id, name, nodes, cores, speed, RAM in KB",
        firstLine(FIRST::begins));
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    Lines lines = input.open();
    Clusters clusters = new Clusters();
    return Entries.ofMany(lines, line -> clusters.hosts(lines.location(), line));
  }

  private static final class Clusters {

    private int total;

    List<HostSpec> hosts(SourceLocation location, String line) {
      List<String> cells = Cells.atBlanks(line, FIELDS.size() + 1);
      if (cells.size() != FIELDS.size()) {
        throw location.error(
            "has %s fields, must have %s: %s"
                .formatted(
                    cells.size() < FIELDS.size() ? cells.size() : "more than " + FIELDS.size(),
                    FIELDS.size(),
                    String.join(", ", FIELDS)));
      }
      int nodes = field(location, cells, "nodes").whole(1, MOST_HOSTS);
      if (nodes > MOST_HOSTS - total) {
        throw field(location, cells, "nodes")
            .error("exceeds the limit of %s hosts in a file".formatted(MOST_HOSTS));
      }
      long cores = field(location, cells, "cores").wholeLong(1, MOST_CORES);
      if (field(location, cells, "speed").number().compareTo(BigDecimal.ONE) != 0) {
        throw field(location, cells, "speed")
            .error("must be 1; hosts of different speed are not supported");
      }
      long ram = field(location, cells, "ram").wholeLong(0, 1L << 50);
      String name = field(location, cells, "name").required();
      Resources capacity =
          Resources.of(
              Dimension.CPU,
              Dimension.CPU.units(BigDecimal.valueOf(cores)),
              Dimension.MEMORY,
              1_024 * ram);
      Map<String, String> attributes = Map.of(HostAttributes.CLUSTER, name);
      total += nodes;
      return IntStream.range(0, nodes)
          .mapToObj(i -> new HostSpec(name + "-" + i, capacity, attributes))
          .toList();
    }

    private static Field field(SourceLocation location, List<String> cells, String column) {
      return new Field(location, column, cells.get(FIELDS.indexOf(column)));
    }
  }
}

package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Infrastructures of the Alea simulator, {@code *.machines}: clusters of like nodes, each a host
 * {@code name-0}, {@code name-1} and so on, with the attribute {@code cluster}. Memory is told in
 * units of 1,024 bytes. The speed must be 1: hosts of Berth are all as fast.
 */
public final class AleaMachines implements InfrastructureFormat {

  static final String CLUSTER = "cluster";

  private static final List<String> FIELDS =
      List.of("id", "name", "nodes", "cores", "speed", "ram");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern FIRST =
      Pattern.compile("[0-9]+\\s+[^\\s,]+\\s+[0-9]+\\s+[0-9]+\\s+[0-9.]+\\s+[0-9]+.*");
  private static final int MOST = 1_000_000;

  /** For the service loader. */
  public AleaMachines() {}

  @Override
  public String name() {
    return "alea-machines";
  }

  @Override
  public String description() {
    return "clusters of the Alea simulator: id, name, nodes, cores, speed, RAM in KB";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> FIRST.matcher(line).matches()).isPresent();
  }

  @Override
  public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
    return new Reader(input.open());
  }

  private static final class Reader implements EntryReader<HostSpec> {

    private final Lines lines;
    private Place place;
    private String name = "";
    private HostSpec like = new HostSpec("none", Resources.none());
    private int count;
    private int next;

    Reader(Lines lines) {
      this.lines = lines;
      this.place = lines.place();
    }

    @Override
    public @Nullable HostSpec next() {
      while (next == count) {
        String line = lines.next();
        place = lines.place();
        if (line == null) {
          return null;
        }
        cluster(line);
      }
      return new HostSpec(name + "-" + next++, like.capacity(), like.attributes());
    }

    private void cluster(String line) {
      String[] cells = BLANKS.split(line);
      if (cells.length < FIELDS.size()) {
        throw place.wrong(
            "has %s fields, must have %s: %s"
                .formatted(cells.length, FIELDS.size(), String.join(", ", FIELDS)));
      }
      int nodes = field(cells, "nodes").whole(1, MOST);
      long cores = field(cells, "cores").wholeLong(1, MOST);
      if (field(cells, "speed").number().compareTo(BigDecimal.ONE) != 0) {
        throw field(cells, "speed").wrong("must be 1; hosts of different speed are not known");
      }
      long ram = field(cells, "ram").wholeLong(0, 1L << 50);
      name = field(cells, "name").required();
      like =
          new HostSpec(
              name,
              Requests.amounts(Dimension.CPU.units(BigDecimal.valueOf(cores)), 1_024 * ram),
              Map.of(CLUSTER, name));
      count = nodes;
      next = 0;
    }

    private Field field(String[] cells, String column) {
      return new Field(place, column, cells[FIELDS.indexOf(column)]);
    }

    @Override
    public Place place() {
      return place;
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}

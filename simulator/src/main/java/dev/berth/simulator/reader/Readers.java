package dev.berth.simulator.reader;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads workloads, infrastructures and host events from files.
 *
 * <p><b>Files</b> are text in UTF-8, plain or gzip; which of the two is told by the content. Blank
 * lines and lines that begin with {@code #} or {@code %} are skipped. A line has at most a
 * mebibyte. The format is told by the first line, or forced by its name in front: {@code
 * csv:requests.dat}.
 *
 * <p><b>Workloads</b> are in order of time. Formats:
 *
 * <ul>
 *   <li>{@code csv}, ours: comma-separated values with the header {@code
 *       admitted,id,class,service_time,cpu,memory} in any order, and if wanted {@code job}, {@code
 *       anti_affinity} (true or false) and {@code constraints}; any other column is a further
 *       dimension of the demand. Times are in seconds, with decimals if wanted, or with units:
 *       {@code 30s}, {@code 10m}. CPU is in cores, memory in gigabytes. Constraints are like {@code
 *       zone==a;rank<5;rank>2;os!=x;rack in a|b;gpu exists}; see {@link dev.berth.api.Constraint}.
 *   <li>{@code qos-simulation}, of the QoS-driven scheduling paper's simulator: {@code
 *       {admission,task id,job id,duration,cpu,ram,priority,anti-affinity,[constraints]}.}
 *   <li>{@code qos-experiment}, of its Kubernetes experiments: {@code time,task id,job
 *       id,user,anti-affinity,priority,duration,-1,cpu,ram,class,slo}.
 * </ul>
 *
 * <p>In the foreign formats the priority decides the class: 9 to 11 gold, 2 to 8 silver, 0 and 1
 * bronze; and the id of a request is that of the task, or {@code job/task} where tasks of several
 * jobs have one id.
 *
 * <p><b>Infrastructures.</b> Formats:
 *
 * <ul>
 *   <li>{@code csv}, ours: {@code id,cpu,memory}, further dimensions, and if wanted {@code
 *       attributes} like {@code zone=a;rank=5}.
 *   <li>{@code qos-infrastructure}, of the paper: {@code {host
 *       id,"name",cpu,ram,[{"attribute","value"},...]}.}
 * </ul>
 *
 * <p><b>Host events</b> are comma-separated values in order of time: {@code time,host,event}, where
 * the event is {@code fails} or {@code recovers}.
 *
 * <p><b>Errors.</b> Whatever cannot be read is an {@link InputException} that says where and why.
 * Nothing is guessed, repaired or left out. A workload is checked to its last line when it is
 * opened, so a simulation does not fail halfway.
 */
public final class Readers {

  private Readers() {}

  /**
   * Reads a workload. The file is read now, to check it, and again in every simulation; it is never
   * held in memory.
   *
   * @param location {@code path} or {@code format:path}
   * @param serviceClasses the classes that requests may name; for the foreign formats {@link
   *     dev.berth.simulator.ServiceClasses#goldSilverBronze}
   * @return a workload that is named after the file, with those of the classes that occur in it
   * @throws InputException if the file cannot be used
   */
  public static Workload workload(
      String location, Collection<? extends ServiceClass> serviceClasses) {
    return FileWorkload.read(
        Location.of(location, WorkloadFormat.values(), WorkloadFormat::of),
        new Classes(serviceClasses));
  }

  /**
   * Reads an infrastructure.
   *
   * @param location {@code path} or {@code format:path}
   * @return an infrastructure that is named after the file
   * @throws InputException if the file cannot be used
   */
  public static Infrastructure infrastructure(String location) {
    Location<InfrastructureFormat> where =
        Location.of(location, InfrastructureFormat.values(), InfrastructureFormat::of);
    List<HostSpec> hosts = new ArrayList<>();
    Map<String, Long> lineOf = new HashMap<>();
    try (Lines lines = Lines.open(where.file(), where.path())) {
      InfrastructureFormat.HostReader reader = where.format().reader(lines);
      for (HostSpec host = reader.next(); host != null; host = reader.next()) {
        Long earlier = lineOf.putIfAbsent(host.id(), lines.place().line());
        if (earlier != null) {
          throw new Field(lines.place(), "id", host.id())
              .wrong("must be unique, is that of line " + earlier + " too");
        }
        hosts.add(host);
      }
    }
    if (hosts.isEmpty()) {
      throw Place.wrongFile(where.file(), "holds no host");
    }
    return new Infrastructure(where.name(), hosts);
  }

  /**
   * Reads host events. Whether the hosts exist is checked by the simulation.
   *
   * @param file its path
   * @throws InputException if the file cannot be used, or a host fails that is down or recovers
   *     that is up
   */
  public static List<HostEvent> hostEvents(String file) {
    List<HostEvent> events = new ArrayList<>();
    Map<String, Boolean> down = new HashMap<>();
    try (Lines lines = Lines.open(file, Location.path(file))) {
      CsvTable table = CsvTable.with(lines, List.of("time", "host", "event"), List.of());
      TimeOrder order = new TimeOrder();
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        long at = order.read(row.field("time"));
        String host = row.field("host").required();
        Field event = row.field("event");
        boolean fails = fails(event);
        if (fails == Boolean.TRUE.equals(down.put(host, fails))) {
          throw event.wrong("makes no sense, host %s is %s".formatted(host, fails ? "down" : "up"));
        }
        events.add(fails ? new HostEvent.Fails(at, host) : new HostEvent.Recovers(at, host));
      }
    }
    return List.copyOf(events);
  }

  private static boolean fails(Field event) {
    return switch (event.text()) {
      case "fails" -> true;
      case "recovers" -> false;
      default ->
          throw event.wrong(
              "must be fails or recovers",
              switch (event.text()) {
                case "fail", "failed", "down" -> Optional.of("you meant \"fails\"");
                case "recover", "recovered", "up" -> Optional.of("you meant \"recovers\"");
                default -> Optional.empty();
              });
    };
  }
}

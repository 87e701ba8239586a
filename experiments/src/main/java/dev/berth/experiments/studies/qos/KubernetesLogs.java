package dev.berth.experiments.studies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The logs of a Kubernetes cluster: comma-separated values without a header. Times are seconds of
 * any one clock.
 *
 * <p>A pod is in service from its termination less its run time, until it terminates. A pod that
 * terminates by the end counts as preempted: the published requests outlast their runs. If there is
 * a log of starts, the pod must be in it, since the scheduler also deleted pods that still waited.
 */
final class KubernetesLogs {

  private static final String WAITING = "waiting";
  private static final String STARTING = "starting";
  private static final String TERMINATION = "termination|running";

  private static final String TIME = "time";
  private static final String POD = "pod";
  private static final String DEPLOYMENT = "deployment";
  private static final String RUN_TIME = "run time";

  private static final Pattern NAME = Pattern.compile("([^-]+)-([^-]+)-.+");

  /** The words of the cluster for the classes of the paper. */
  private static final Map<String, String> CLASSES =
      Map.of(
          "prod", ServiceClasses.GOLD,
          "batch", ServiceClasses.SILVER,
          "free", ServiceClasses.BRONZE);

  /** A request. */
  private static final class Deployment {

    private final ServiceClass serviceClass;
    private long admitted;
    private long service;
    private int preemptions;

    Deployment(ServiceClass serviceClass, long admitted) {
      this.serviceClass = serviceClass;
      this.admitted = admitted;
    }
  }

  /** The start of a pod that has not terminated. */
  private record Start(Deployment of, long at, Field name) {}

  private final LogFolder logs;
  private final Requests requests;
  private final Map<String, Deployment> deployments = new TreeMap<>(); // by name
  private final Map<String, Start> running = new LinkedHashMap<>(); // by pod
  private boolean startsAreKnown;

  private KubernetesLogs(LogFolder logs, Requests requests) {
    this.logs = logs;
    this.requests = requests;
  }

  /** Returns whether a folder has logs of Kubernetes. */
  static boolean areIn(LogFolder logs) {
    return logs.find(WAITING).isPresent();
  }

  /**
   * Reads the logs.
   *
   * @param until when availability is taken, in nanoseconds after the first request
   * @throws InputException if a log is missing, cannot be read or breaks a rule
   */
  static ReplicationAccount read(LogFolder logs, Requests requests, long until) {
    return new KubernetesLogs(logs, requests).read(until);
  }

  private ReplicationAccount read(long until) {
    readWaiting(logs.require(WAITING, "waiting.dat"));
    long begin = deployments.values().stream().mapToLong(each -> each.admitted).min().orElse(0);
    long end = begin + until;
    logs.find(STARTING).ifPresent(this::readStarting);
    Input termination = logs.require(TERMINATION, "termination.dat or running.dat");
    long last = readTerminations(termination, end);
    logs.requireUntil(last - begin, until);
    running.values().forEach(each -> serve(each.of, end - each.at, end, each.name));

    ReplicationAccount account = new ReplicationAccount(PublishedRun.Source.KUBERNETES, requests);
    for (Deployment each : deployments.values()) {
      if (each.admitted < end) {
        account.add(each.serviceClass, each.service, end - each.admitted, each.preemptions);
      }
    }
    return account;
  }

  private interface Reader {
    void read(CsvTable.Row row);
  }

  private static void readAll(Input log, List<String> columns, Reader reader) {
    try (CsvTable table = CsvTable.withoutHeader(log, columns)) {
      for (CsvTable.Row row = table.next(); row != null; row = table.next()) {
        reader.read(row);
      }
    }
  }

  private void readWaiting(Input log) {
    readAll(
        log,
        List.of(TIME, POD, DEPLOYMENT),
        row -> {
          long time = row.field(TIME).nanos();
          Field name = row.field(DEPLOYMENT);
          Deployment its = deployments.get(name.text());
          if (its == null) {
            deployments.put(name.text(), new Deployment(serviceClass(name), time));
          } else {
            its.admitted = Math.min(its.admitted, time);
          }
        });
    log.refuseIf(deployments.isEmpty(), "holds no pods");
  }

  private void readStarting(Input log) {
    startsAreKnown = true;
    readAll(
        log,
        List.of(TIME, POD, DEPLOYMENT, "host", "overhead"),
        row -> {
          long time = row.field(TIME).nanos();
          running.put(
              row.field(POD).required(), new Start(deployment(row), time, row.field(DEPLOYMENT)));
        });
  }

  /** Returns the time of the last entry. */
  private long readTerminations(Input log, long end) {
    long[] last = new long[1];
    readAll(
        log,
        List.of(TIME, POD, DEPLOYMENT, RUN_TIME),
        row -> {
          long time = row.field(TIME).nanos();
          Field runTime = row.field(RUN_TIME);
          long since = time - runTime.nanos();
          Deployment its = deployment(row);
          runTime.refuseIf(since < its.admitted, "must not begin before the deployment waits");
          serve(its, Math.min(time, end) - since, end, row.field(DEPLOYMENT));
          boolean started = running.remove(row.field(POD).required()) != null || !startsAreKnown;
          its.preemptions += started && time <= end ? 1 : 0;
          last[0] = Math.max(last[0], time);
        });
    return last[0];
  }

  private static void serve(Deployment its, long nanos, long end, Field name) {
    its.service += Math.max(0, nanos);
    if (its.service > Math.max(0, end - its.admitted)) {
      throw name.error("must not run two pods at the same time");
    }
  }

  private Deployment deployment(CsvTable.Row row) {
    Field name = row.field(DEPLOYMENT);
    Deployment its = deployments.get(name.text());
    if (its == null) {
      throw name.error("must be a deployment of waiting.dat");
    }
    return its;
  }

  /** Returns the class that a name states, which must be that of the request with its id. */
  private ServiceClass serviceClass(Field name) {
    Matcher parts = NAME.matcher(name.required());
    if (!parts.matches()) {
      throw name.error("must be a class, an id and a code, such as prod-2-eb447693de2f");
    }
    String word = parts.group(1);
    ServiceClass stated =
        requests
            .serviceClass(CLASSES.getOrDefault(word, word))
            .orElseThrow(
                () ->
                    name.error(
                        "must begin with a class of workload %s: %s"
                            .formatted(requests.workload(), words())));
    requests
        .find(parts.group(2))
        .filter(known -> !known.serviceClass().equals(stated))
        .ifPresent(
            known -> {
              throw name.error(
                  "must be of class %s as request %s of workload %s"
                      .formatted(known.serviceClass().name(), parts.group(2), requests.workload()),
                  Optional.of("it ran another workload"));
            });
    return stated;
  }

  private String words() {
    return String.join(
        ", ",
        requests.serviceClasses().stream()
            .map(
                each ->
                    CLASSES.entrySet().stream()
                        .filter(word -> word.getValue().equals(each.name()))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(each.name()))
            .toList());
  }
}

package dev.berth.traces.format.kubectl;

import dev.berth.api.Constraint;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Toleration;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.CalendarTimes;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.internal.OrderingWindow;
import dev.berth.traces.internal.OrderingWindow.Timed;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.Stream;

/**
 * The pods of a cluster with Kubernetes, as {@code kubectl get pods -A -o json} prints them.
 *
 * <p>A pod that ran is a request, admitted at its creation. Its service time is the time from its
 * start to its end, or to the latest time in the file if it still runs. Time begins with the first
 * pod.
 *
 * <p>The reader sorts pods within a window of {@value #WINDOW} pods and refuses a list that is out
 * of order beyond it.
 */
public final class KubectlWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String OF_ITS_NODE = "pod of a DaemonSet or a node";
  static final String NEVER_RAN = "pod that never ran";
  static final String NO_END = "pod that ended at an unknown time";
  static final String NO_TIME = "pod that ran for no time";

  private static final int WINDOW = 100_000;
  private static final String SORTING = "get the pods with --sort-by=.metadata.creationTimestamp";
  private static final String CREATED = "creationTimestamp";
  private static final Set<String> OF_NODES = Set.of("DaemonSet", "Node");
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  public KubectlWorkloadFormat() {
    super(
        KubectlObjects.FORMAT,
        "pods of Kubernetes: kubectl get pods -A -o json",
        KubectlObjects::isIn);
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    LongAccumulator latest = new LongAccumulator(Math::max, 0);
    Entries.survey(
        Entries.ofMany(
            KubectlObjects.open(input, KubectlObjects.POD, KubectlObjects.NODE),
            each -> times(each).map(CalendarTimes::ofInstant).toList()),
        latest::accumulate);
    return skips -> {
      Pods pods = new Pods(classes, skips, latest.get());
      return Entries.ofSome(
          new OrderingWindow<>(
              WINDOW,
              Entries.ofSome(
                  KubectlObjects.open(input, KubectlObjects.POD),
                  each -> each.convert(pods::timed)),
              Optional.of(SORTING)),
          pods::arrival);
    };
  }

  /** Returns when something happened to a pod or a node. */
  private static Stream<Field> times(JsonObject object) {
    Optional<JsonObject> status = object.object("status");
    Stream<Field> conditions =
        status.flatMap(each -> each.objects("conditions")).orElse(List.of()).stream()
            .flatMap(
                each ->
                    Stream.of("lastHeartbeatTime", "lastTransitionTime")
                        .flatMap(name -> each.optional(name).stream()));
    return Stream.of(
            object.required("metadata").optional(CREATED).stream(),
            status.stream().flatMap(KubectlWorkloadFormat::starts),
            status.stream().flatMap(each -> ofContainers(each, "finishedAt")),
            conditions)
        .flatMap(each -> each);
  }

  private static Stream<Field> starts(JsonObject status) {
    return Stream.concat(status.optional("startTime").stream(), ofContainers(status, "startedAt"));
  }

  /** Returns a time of each container that has it. */
  private static Stream<Field> ofContainers(JsonObject status, String name) {
    return status.objects("containerStatuses").orElse(List.of()).stream()
        .flatMap(each -> each.object("state").stream())
        .flatMap(
            state ->
                Stream.of("running", "terminated").flatMap(each -> state.object(each).stream()))
        .flatMap(each -> each.optional(name).stream());
  }

  private record Pod(Request request, long runTime) {}

  private static final class Pods {

    private final ServiceClassCatalog classes;
    private final SkipReport skips;
    private final long latest;
    private OptionalLong begin = OptionalLong.empty();

    Pods(ServiceClassCatalog classes, SkipReport skips, long latest) {
      this.classes = classes;
      this.skips = skips;
      this.latest = latest;
    }

    /** Returns an arrival at the time since the first one. */
    Optional<Arrival> arrival(Timed<Pod> timed) {
      if (begin.isEmpty()) {
        begin = OptionalLong.of(timed.at());
      }
      Pod pod = timed.entry();
      return Optional.of(new Arrival(timed.at() - begin.getAsLong(), pod.request, pod.runTime));
    }

    Optional<Timed<Pod>> timed(JsonObject pod) {
      JsonObject meta = pod.required("metadata");
      Field created = meta.field(CREATED);
      Optional<JsonObject> owner = owner(meta);
      if (owner.filter(each -> OF_NODES.contains(each.field("kind").text())).isPresent()) {
        return skips.skip(OF_ITS_NODE);
      }
      Optional<JsonObject> status = pod.object("status");
      String phase = status.flatMap(each -> each.text("phase")).orElse("Pending");
      OptionalLong start =
          status.stream()
              .flatMap(KubectlWorkloadFormat::starts)
              .mapToLong(CalendarTimes::ofInstant)
              .min();
      if (phase.equals("Pending") || start.isEmpty()) {
        return skips.skip(NEVER_RAN);
      }
      OptionalLong end =
          ENDED.contains(phase)
              ? status.stream()
                  .flatMap(each -> ofContainers(each, "finishedAt"))
                  .mapToLong(CalendarTimes::ofInstant)
                  .max()
              : OptionalLong.of(latest);
      if (end.isEmpty() || end.getAsLong() <= start.getAsLong()) {
        return skips.skip(end.isEmpty() ? NO_END : NO_TIME);
      }
      return Optional.of(
          new Timed<>(
              created,
              CalendarTimes.ofInstant(created),
              new Pod(request(pod, meta, owner), end.getAsLong() - start.getAsLong())));
    }

    private static Optional<JsonObject> owner(JsonObject meta) {
      return meta.objects("ownerReferences").orElse(List.of()).stream()
          .filter(each -> each.optional("controller").filter(Field::flag).isPresent())
          .findFirst();
    }

    private Request request(JsonObject pod, JsonObject meta, Optional<JsonObject> owner) {
      JsonObject spec = pod.required("spec");
      String namespace = meta.field("namespace").required();
      Request.Builder request =
          Request.builder(
                  namespace + "/" + meta.field("name").required(),
                  serviceClass(meta, spec, namespace))
              .demand(KubectlAmounts.demand(pod, spec))
              .user(namespace)
              .placement(new PlacementSpec(tolerations(spec), List.<PlacementRule>of(), List.of()));
      spec.object("nodeSelector")
          .ifPresent(
              all ->
                  all.fields()
                      .forEach(
                          (name, field) ->
                              request.constraint(new Constraint.Equal(name, field.text()))));
      spec.optional("activeDeadlineSeconds")
          .ifPresent(each -> request.estimatedRunTime(Duration.ofNanos(each.positiveNanos())));
      owner.ifPresent(
          each -> {
            String kind = each.field("kind").required();
            request.job(String.join("/", namespace, kind, each.field("name").required()));
            request.losesProgress(
                kind.equals("Job")
                    && label(meta, "berth.dev/keeps-progress")
                        .filter(label -> label.text().equals("true"))
                        .isEmpty());
          });
      return request.build();
    }

    private static Optional<Field> label(JsonObject meta, String name) {
      return meta.object("labels").flatMap(each -> each.optional(name));
    }

    private String serviceClass(JsonObject meta, JsonObject spec, String namespace) {
      Optional<Field> label = label(meta, "berth.dev/service-class");
      if (label.isPresent()) {
        return classes.named(label.get()).name();
      }
      return Stream.concat(spec.text("priorityClassName").stream(), Stream.of(namespace))
          .filter(classes::contains)
          .findFirst()
          .orElseGet(() -> byPriority(spec));
    }

    private String byPriority(JsonObject spec) {
      Field priority =
          spec.optional("priority")
              .orElseGet(() -> new Field(spec.location(), spec.path() + "priority", "0"));
      long value = priority.wholeLong(Integer.MIN_VALUE, Integer.MAX_VALUE);
      String name =
          value > 0
              ? ServiceClasses.GOLD
              : value < 0 ? ServiceClasses.BRONZE : ServiceClasses.SILVER;
      return classes.mapped(priority, name).name();
    }

    /** Returns the tolerations that do not end: with the others, no pod comes to a node. */
    private static List<Toleration> tolerations(JsonObject spec) {
      return spec.objects("tolerations").orElse(List.of()).stream()
          .filter(each -> !each.has("tolerationSeconds"))
          .map(Pods::toleration)
          .distinct()
          .toList();
    }

    private static Toleration toleration(JsonObject toleration) {
      String operator = toleration.text("operator").orElse("Equal");
      if (!operator.equals("Equal") && !operator.equals("Exists")) {
        throw toleration.field("operator").error("must be one of Equal, Exists");
      }
      return new Toleration(
          toleration.text("key"),
          operator.equals("Exists")
              ? Optional.empty()
              : Optional.of(toleration.optional("value").map(Field::text).orElse("")),
          toleration.optional("effect").map(KubectlInfrastructureFormat::effect),
          Optional.empty());
    }
  }
}

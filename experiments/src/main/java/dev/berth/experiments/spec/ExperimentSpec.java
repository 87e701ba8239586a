package dev.berth.experiments.spec;

import static dev.berth.api.Arguments.refuseIf;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.traces.prepare.UserClusters;
import dev.berth.traces.prepare.WorkloadSample;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The specification of an experiment, written in JSON: policies, axes and measurements. Every
 * combination of workload, infrastructure, scale, watchdog, margin and seed is a case, and all
 * policies run in each case.
 *
 * @param name its name in reports
 * @param description its subject; may be empty
 * @param workloads the requests, at least one
 * @param infrastructures the hosts; none: those of built-in workloads
 * @param scales shares of the hosts' capacity, above 0 and at most {@link #MOST_SCALE}; default 1.
 *     Hosts are removed or added at random.
 * @param policies the policies to compare, at least one
 * @param seeds seeds of all random choices; default 1
 * @param until simulated end of runs; null: that of built-in workloads, one hour for files
 * @param watchdog longest times between two passes; in JSON, one of them need not be in a list;
 *     null: that of built-in workloads, 30 s for files
 * @param apart least time between two passes, at most each watchdog; null: 0, so any event can make
 *     a pass due
 * @param margin safety margins of all service classes; in JSON likewise; null: the watchdog
 * @param overheads times from placement to readiness; null: those of built-in workloads, 2 s, 2 s
 *     or 3 s for files
 * @param hotOverheads the same on a host where the instance ran before; null: the same times
 * @param termination time that victims of preemptions take to leave their hosts; null: 0
 * @param decisionTimes how long the scheduler is busy with each placement, one at a time; null: 0
 * @param plainDecisionTimes the same for placements that preempt nothing; null: the same times
 * @param events file with events of hosts and limits; null: none
 * @param bounds whether {@code never-preempt} and an infinite host also run; default true
 * @param reference label of the policy that others are compared with and that defines contention;
 *     null: {@code priority} if it is compared
 * @param metrics settings of the measurements
 */
public record ExperimentSpec(
    String name,
    String description,
    List<WorkloadSpec> workloads,
    List<InfrastructureSpec> infrastructures,
    List<Double> scales,
    List<PolicySpec> policies,
    List<Long> seeds,
    @Nullable Duration until,
    @OneOrList @Nullable List<Duration> watchdog,
    @Nullable Duration apart,
    @OneOrList @Nullable List<Duration> margin,
    @Nullable List<Duration> overheads,
    @Nullable List<Duration> hotOverheads,
    @Nullable Duration termination,
    @Nullable List<Duration> decisionTimes,
    @Nullable List<Duration> plainDecisionTimes,
    @Nullable String events,
    boolean bounds,
    @Nullable String reference,
    Metrics metrics) {

  /** The largest scale of hosts. */
  public static final int MOST_SCALE = 10;

  private static final ExperimentSpec DEFAULTS =
      new ExperimentSpec(
          "",
          "",
          List.of(),
          List.of(),
          List.of(1.0),
          List.of(),
          List.of(1L),
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          true,
          null,
          new Metrics(Duration.ofMinutes(10), Duration.ofMinutes(1), null));

  private static final List<String> LISTS = List.of("workloads", "infrastructures", "policies");

  /** Keys that follow {@code termination} in {@link #toJson}. */
  private static final List<String> AFTER_TERMINATION =
      List.of(
          "overheads",
          "hotOverheads",
          "decisionTimes",
          "plainDecisionTimes",
          "events",
          "bounds",
          "reference",
          "metrics");

  private static final String SUBJECT = "experiment";

  /** The path of the whole text. */
  private static final String WHOLE = "the file";

  /** Copies the lists. */
  public ExperimentSpec {
    workloads = List.copyOf(workloads);
    infrastructures = List.copyOf(infrastructures);
    scales = List.copyOf(scales);
    policies = List.copyOf(policies);
    seeds = List.copyOf(seeds);
    watchdog = watchdog == null ? null : List.copyOf(watchdog);
    margin = margin == null ? null : List.copyOf(margin);
  }

  /** In JSON, one element is written without a list. */
  @Retention(RetentionPolicy.RUNTIME)
  @JacksonAnnotationsInside
  @JsonFormat(
      with = {
        JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY,
        JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED
      })
  private @interface OneOrList {}

  /**
   * A workload. In JSON, an object, or a string for {@code from}.
   *
   * @param from a built-in name or {@code [format:]file}
   * @param label what tables call it; empty: its name
   * @param classes file with the service classes; empty: gold, silver and bronze
   * @param skipBad number of malformed lines to skip
   * @param sample selects the requests of some users; null: of all users
   */
  public record WorkloadSpec(
      String from, String label, String classes, int skipBad, @Nullable Sampling sample) {

    private static final WorkloadSpec DEFAULTS = new WorkloadSpec("", "", "", 0, null);

    /** Checks the range. */
    public WorkloadSpec {
      refuseIf(skipBad < 0, "skipBad must be 0 or more");
    }
  }

  /**
   * How users are drawn (QoS-driven scheduling, section 4.2).
   *
   * @param groups k of k-means, 1 or more; default 6
   * @param share of the users of each group, in (0, 1]; default 0.1
   * @param number of the sample, 1 or more; samples of different numbers are drawn independently;
   *     default 1
   * @param seed of the draws; default 1
   */
  public record Sampling(int groups, double share, int number, long seed) {

    private static final Sampling DEFAULTS =
        new Sampling(UserClusters.GROUPS, WorkloadSample.SHARE, 1, 1);

    /** Checks the ranges. */
    public Sampling {
      refuseIf(groups < 1, "groups must be 1 or more");
      refuseIf(!(share > 0 && share <= 1), "share must be in (0, 1]");
      refuseIf(number < 1, "number must be 1 or more");
    }
  }

  /**
   * An infrastructure. In JSON, an object, or a string for {@code from}.
   *
   * @param from {@code [format:]file} with the hosts
   * @param label what tables call it; empty: its name
   * @param sized whether hosts are drawn at random from the file, up to the peak demand of each
   *     workload (section 4.3), instead of taken as they are
   * @param seed of drawing hosts and of removing them at scales below 1; default 1
   */
  public record InfrastructureSpec(String from, String label, boolean sized, long seed) {

    private static final InfrastructureSpec DEFAULTS = new InfrastructureSpec("", "", false, 1);
  }

  /** Checks the files and policies that an experiment names. */
  @FunctionalInterface
  interface References {

    /**
     * Adds the problems of what can be bound, by path.
     *
     * @param events file with events of hosts and limits, or null
     */
    void check(
        Map<String, WorkloadSpec> workloads,
        Map<String, InfrastructureSpec> infrastructures,
        Map<String, PolicySpec> policies,
        @Nullable String events,
        List<Problem> problems);
  }

  /**
   * Settings of the measurements.
   *
   * @param interval between two intervals of contention
   * @param sample time between two samples
   * @param penalties tiers of the penalties by class, over the published ones; null: only those
   */
  public record Metrics(
      Duration interval,
      Duration sample,
      @Nullable Map<String, List<PenaltyTable.Tier>> penalties) {

    /** Checks settings that depend on each other. */
    public Metrics {
      settings(interval, sample, penalties);
    }

    /** Returns the settings, with all penalties. */
    public MetricsSettings settings() {
      return settings(interval, sample, penalties);
    }

    private static MetricsSettings settings(
        Duration interval,
        Duration sample,
        @Nullable Map<String, List<PenaltyTable.Tier>> penalties) {
      return new MetricsSettings(
          interval,
          sample,
          penalties == null ? PenaltyTable.PUBLISHED : PenaltyTable.PUBLISHED.with(penalties));
    }
  }

  /**
   * Reads an experiment.
   *
   * @param file name of the JSON file, for messages
   * @param json the text
   * @throws ConfigException if the specification is invalid; lists all problems
   */
  public static ExperimentSpec parse(String file, String json) {
    return parse(file, json, (workloads, infrastructures, policies, events, problems) -> {});
  }

  /**
   * Reads an experiment as {@link #parse(String, String)}, and checks the files and policies that
   * it names.
   *
   * @param base the folder that relative paths start from
   * @param registry where policies are looked up
   * @throws ConfigException if the specification is invalid, or names a file or a policy that does
   *     not exist, or a policy has invalid settings; lists all problems
   */
  public static ExperimentSpec parse(String file, String json, Path base, PolicyRegistry registry) {
    return parse(file, json, new ReferenceCheck(base, registry));
  }

  private static ExperimentSpec parse(String file, String json, References references) {
    String subject = SUBJECT + " " + file;
    ObjectNode given = object(subject, json);
    List<Problem> problems = new ArrayList<>();
    ExperimentLimits.check(given, problems);
    ObjectNode tree = given.deepCopy();
    for (Problem each : problems) { // nulls and sizes that binding does not expect
      tree.remove(ExperimentLimits.key(each));
    }
    ExperimentSpec root = withoutElements(subject, tree, problems);
    List<JsonNode> policyNodes = list(tree, "policies");
    Map<String, WorkloadSpec> workloads =
        elements(subject, tree, "workloads", WorkloadSpec.class, WorkloadSpec.DEFAULTS, problems);
    Map<String, InfrastructureSpec> infrastructures =
        elements(
            subject,
            tree,
            "infrastructures",
            InfrastructureSpec.class,
            InfrastructureSpec.DEFAULTS,
            problems);
    Map<String, PolicySpec> policies = new LinkedHashMap<>();
    for (int i = 0; i < policyNodes.size(); i++) {
      String path = "policies[%s]".formatted(i);
      policy(path, policyNodes.get(i), problems).ifPresent(each -> policies.put(path, each));
    }
    references.check(workloads, infrastructures, policies, root.events, problems);
    atLeastOne(given, "workloads", problems);
    atLeastOne(given, "policies", problems);
    checkScales(root.scales, problems);
    if (root.seeds.isEmpty()) {
      ExperimentLimits.add(problems, "seeds", "[]", "must hold at least one");
    }
    if (root.seeds.stream().distinct().count() < root.seeds.size()) {
      ExperimentLimits.add(problems, "seeds", root.seeds.toString(), "must be unlike each other");
    }
    positive("until", root.until, problems);
    positive("apart", root.apart, problems);
    ExperimentLimits.checkLongest("until", root.until, problems);
    ExperimentLimits.checkLongest("apart", root.apart, problems);
    axis("watchdog", root.watchdog, problems)
        .forEach((path, each) -> positive(path, each, problems));
    axis("margin", root.margin, problems);
    ExperimentLimits.checkLongest("overheads", longest(root.overheads), problems);
    ExperimentLimits.checkLongest("hotOverheads", longest(root.hotOverheads), problems);
    ExperimentLimits.checkLongest("termination", root.termination, problems);
    ExperimentLimits.checkLongest("decisionTimes", longest(root.decisionTimes), problems);
    ExperimentLimits.checkLongest("plainDecisionTimes", longest(root.plainDecisionTimes), problems);
    ExperimentLimits.checkLongest("metrics.interval", root.metrics.interval, problems);
    if (!problems.isEmpty()) {
      throw new ConfigException(subject, ExperimentLimits.shortened(problems));
    }
    tree.put("name", root.name.isBlank() ? file : root.name);
    tree.set("workloads", array(workloads.values()));
    tree.set("infrastructures", array(infrastructures.values()));
    tree.set("policies", array(policies.values()));
    ObjectNode measured = TreeBinder.toJson(root.metrics.settings());
    measured.set("penalties", measured.path("penalties").path("tiers"));
    tree.set("metrics", measured);
    return TreeBinder.bind(subject, "", ExperimentSpec.class, DEFAULTS, tree);
  }

  private static ArrayNode array(Collection<? extends Record> elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    elements.forEach(each -> array.add(TreeBinder.toJson(each)));
    return array;
  }

  /**
   * Returns the same experiment on other hosts.
   *
   * @param others the hosts, at least one
   * @param shares shares of their capacity, at least one
   */
  public ExperimentSpec on(List<InfrastructureSpec> others, List<Double> shares) {
    ObjectNode all = toJson();
    ArrayNode hosts = all.putArray("infrastructures");
    others.forEach(each -> hosts.add(TreeBinder.toJson(each)));
    shares.forEach(all.putArray("scales")::add);
    return parse(name, all.toString());
  }

  /** Binds the keys that can be bound, so that their values are checked, too. */
  private static ExperimentSpec withoutElements(
      String subject, ObjectNode tree, List<Problem> problems) {
    ObjectNode rest = tree.deepCopy();
    LISTS.stream().filter(each -> rest.path(each).isArray()).forEach(rest::putArray);
    try {
      return TreeBinder.bind(subject, "", ExperimentSpec.class, DEFAULTS, rest);
    } catch (ConfigException wrong) {
      problems.addAll(wrong.problems());
      wrong.problems().forEach(each -> rest.remove(ExperimentLimits.key(each)));
      return rest.size() < tree.size() ? withoutElements(subject, rest, problems) : DEFAULTS;
    }
  }

  private static ObjectNode object(String subject, String json) {
    JsonNode tree;
    try {
      tree = TreeBinder.parse(subject, json);
    } catch (ConfigException malformed) {
      Problem problem = malformed.problems().get(0);
      throw new ConfigException(
          subject, List.of(new Problem(WHOLE, problem.value(), problem.rule(), problem.hint())));
    }
    if (tree instanceof ObjectNode object) {
      return object;
    }
    String was = tree.isMissingNode() ? "empty" : tree.toString();
    throw new ConfigException(
        subject,
        ExperimentLimits.shortened(List.of(new Problem(WHOLE, was, "must be a JSON object", ""))));
  }

  private static @Nullable Duration longest(@Nullable List<Duration> times) {
    return times == null ? null : Collections.max(times);
  }

  private static List<JsonNode> list(JsonNode tree, String key) {
    List<JsonNode> elements = new ArrayList<>();
    if (tree.path(key).isArray()) { // another type is reported already
      tree.path(key).forEach(elements::add);
    }
    return elements;
  }

  private static void atLeastOne(JsonNode tree, String list, List<Problem> problems) {
    JsonNode given = tree.path(list);
    if (given.isMissingNode() || (given.isArray() && given.isEmpty())) {
      String was = given.isMissingNode() ? "missing" : "[]";
      ExperimentLimits.add(problems, list, was, "must name at least one");
    }
  }

  private static void checkScales(List<Double> scales, List<Problem> problems) {
    if (scales.isEmpty()
        || scales.stream().anyMatch(each -> !(each > 0 && each <= MOST_SCALE))
        || scales.stream().distinct().count() < scales.size()) {
      ExperimentLimits.add(
          problems,
          "scales",
          scales.toString(),
          "must be shares in (0, %s], at least one, unlike each other".formatted(MOST_SCALE));
    }
  }

  /** Checks the values of an axis, and returns them by their paths. */
  private static Map<String, Duration> axis(
      String key, @Nullable List<Duration> values, List<Problem> problems) {
    Map<String, Duration> byPath = new LinkedHashMap<>();
    if (values == null) {
      return byPath;
    }
    if (values.isEmpty()) {
      ExperimentLimits.add(problems, key, "[]", "must hold at least one");
    }
    if (values.stream().distinct().count() < values.size()) {
      String was = values.stream().map(Durations::format).toList().toString();
      ExperimentLimits.add(problems, key, was, "must be unlike each other");
    }
    for (int i = 0; i < values.size(); i++) {
      byPath.put(values.size() == 1 ? key : "%s[%s]".formatted(key, i), values.get(i));
    }
    byPath.forEach((path, each) -> ExperimentLimits.checkLongest(path, each, problems));
    return byPath;
  }

  private static void positive(String path, @Nullable Duration duration, List<Problem> problems) {
    if (duration != null && (duration.isZero() || duration.isNegative())) {
      ExperimentLimits.add(problems, path, duration, "must be longer than 0s");
    }
  }

  /** Returns the elements that can be bound, by path. */
  private static <C extends Record> Map<String, C> elements(
      String subject,
      JsonNode tree,
      String list,
      Class<C> type,
      C defaults,
      List<Problem> problems) {
    List<JsonNode> elements = list(tree, list);
    Map<String, C> bound = new LinkedHashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      String path = "%s[%s]".formatted(list, i);
      element(subject, path, elements.get(i), "from", type, defaults, problems)
          .ifPresent(each -> bound.put(path, each));
    }
    return bound;
  }

  /** Binds an object, or a string that abbreviates an object with one key. */
  private static <C extends Record> Optional<C> element(
      String subject,
      String path,
      JsonNode element,
      String shorthand,
      Class<C> type,
      C defaults,
      List<Problem> problems) {
    ObjectNode object =
        element.isTextual()
            ? JsonNodeFactory.instance.objectNode().set(shorthand, element)
            : element instanceof ObjectNode given ? given.deepCopy() : null;
    if (object == null) {
      ExperimentLimits.add(problems, path, element.toString(), "must be a text or an object");
      return Optional.empty();
    }
    JsonNode sample = object.path("sample");
    if (type == WorkloadSpec.class && !sample.isMissingNode() && !sample.isNull()) {
      object.remove("sample");
      try { // binds defaults of a sample, not those of its absence
        Sampling its =
            TreeBinder.bind(subject, path + ".sample", Sampling.class, Sampling.DEFAULTS, sample);
        object.set("sample", TreeBinder.toJson(its));
      } catch (ConfigException wrong) {
        problems.addAll(wrong.problems());
      }
    }
    try {
      C bound = TreeBinder.bind(subject, path, type, defaults, object);
      if (object.path(shorthand).asText().isBlank()) {
        ExperimentLimits.add(problems, path + "." + shorthand, "missing", "must be given");
      }
      return Optional.of(bound);
    } catch (ConfigException wrong) {
      problems.addAll(wrong.problems());
      return Optional.empty();
    }
  }

  /** Binds all but the configuration, which the policy checks. */
  private static Optional<PolicySpec> policy(
      String path, JsonNode element, List<Problem> problems) {
    JsonNode config = element.path("config");
    JsonNode rest = element;
    if (element instanceof ObjectNode object && object.has("config")) {
      rest = object.deepCopy().without("config");
      if (!config.isObject()) {
        ExperimentLimits.add(problems, path + ".config", config.toString(), "must be an object");
      }
    }
    return element(SUBJECT, path, rest, "policy", PolicySpec.class, PolicySpec.DEFAULTS, problems)
        .map(
            bound ->
                config.isObject() ? new PolicySpec(bound.policy(), bound.label(), config) : bound);
  }

  /** Returns the specification as JSON, defaults included. {@link #parse} reads it back equal. */
  public ObjectNode toJson() {
    ObjectNode all = TreeBinder.toJson(this);
    all.removeIf(each -> each.isNull() || (each.isArray() && each.isEmpty()));
    for (String each : AFTER_TERMINATION) {
      Optional.ofNullable(all.remove(each)).ifPresent(value -> all.set(each, value));
    }
    return all;
  }
}

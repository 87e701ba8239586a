package dev.berth.kubernetes.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.api.Backoff;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.NearestName;
import dev.berth.kubernetes.meaning.PeerLabels;
import dev.berth.kubernetes.meaning.PodRules;
import dev.berth.kubernetes.meaning.ServiceClassRules;
import dev.berth.runtime.LoopSettings;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirementBuilder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads a configuration and collects all of its problems. For one reading; not thread-safe. */
final class ConfigurationReader {

  /** A victim leaves within its grace period, which is 30 s for most pods. */
  private static final Duration ACTION_TIMEOUT = Duration.ofMinutes(2);

  private static final String SUBJECT = "configuration";
  private static final String DEFAULT_NAME = "berth";
  private static final String DEFAULT_POLICY = "qos-driven";

  private static final int MOST_PROBLEMS = 100;

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final Duration LONGEST_MARGIN = Duration.ofDays(36_500);
  private static final Duration REPLACEMENT_WAIT = Duration.ofMinutes(5);

  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final String WORD_RULE =
      "must have at most 63 letters, digits, and - _ . between them";
  private static final String SUBDOMAIN_RULE =
      "must have at most 253 lower-case letters, digits, and - . between them";
  private static final String KEY_RULE = "must be the key of a label";

  private final Function<Optional<Path>, PolicyRegistry> policies;
  private final List<Problem> problems = new ArrayList<>();

  ConfigurationReader(Function<Optional<Path>, PolicyRegistry> policies) {
    this.policies = policies;
  }

  private ConfigException invalid() {
    int more = problems.size() - MOST_PROBLEMS;
    if (more > 0) {
      problems.subList(MOST_PROBLEMS, problems.size()).clear();
      problems.add(new Problem(SUBJECT, more + " more problems", "must have none", ""));
    }
    return new ConfigException(SUBJECT, problems);
  }

  Configuration read(Map<String, String> data) {
    for (String each : new TreeSet<>(data.keySet())) {
      if (!each.equals(Configuration.KEY)) {
        problems.add(
            new Problem(
                "data[%s]".formatted(each),
                "present",
                "but there is no such key",
                "Known: %s.".formatted(Configuration.KEY)));
      }
    }
    String text = data.get(Configuration.KEY);
    if (text == null) {
      problems.add(
          new Problem(
              "data[%s]".formatted(Configuration.KEY), "missing", "must be the configuration", ""));
      throw invalid();
    }
    JsonNode tree = YamlText.read("data[%s]".formatted(Configuration.KEY), text, problems);
    if (tree.isMissingNode()) {
      throw invalid();
    }
    return read(new Section("", tree, problems));
  }

  private Configuration read(Section root) {
    String name =
        root.text("schedulerName", ConfigurationReader::isSubdomain, SUBDOMAIN_RULE)
            .orElse(DEFAULT_NAME);
    LabelSelector nodes = nodes(root);
    Classes classes = classes(root);
    Optional<String> defaultClass = defaultClass(root, classes);
    Optional<Path> plugins =
        root.text("plugins", text -> !text.isBlank(), "must not be blank")
            .flatMap(text -> folder(root, text));
    PolicyRegistry known = known(root, plugins);
    Section policy = root.section("policy");
    String id =
        policy.text("id", text -> !text.isBlank(), "must not be blank").orElse(DEFAULT_POLICY);
    String config = policyConfig(policy, id, known);
    policy.end();
    LoopSettings loop = loop(root.section("loop"));
    boolean strict = root.flag("strictBudgets", false);
    Duration wait = root.duration("replacementWait", Duration.ZERO, LONGEST, REPLACEMENT_WAIT);
    ForeignPods foreign = root.constant("foreignPods", ForeignPods.COUNT);
    PeerLabels peerLabels = peerLabels(root);
    List<String> ignored =
        root.texts("ignoredPodFields", text -> !text.isBlank(), "must not be blank");
    root.end();
    if (!problems.isEmpty()) {
      throw invalid();
    }
    PodRules rules =
        new PodRules(
            new ServiceClassRules(classes.byName.keySet(), classes.byPriorityClass, defaultClass),
            peerLabels,
            new HashSet<>(ignored));
    return new Configuration(
        name,
        nodes,
        List.copyOf(classes.byName.values()),
        rules,
        id,
        config,
        plugins,
        known,
        loop,
        strict,
        wait,
        foreign);
  }

  private static boolean isSubdomain(String text) {
    return text.length() <= 253 && SUBDOMAIN.matcher(text).matches();
  }

  private static boolean isLabelValue(String text) {
    return text.isEmpty() || isWord(text);
  }

  private static boolean isWord(String text) {
    return text.length() <= 63 && WORD.matcher(text).matches();
  }

  private static boolean isLabelKey(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? isWord(text)
        : isSubdomain(text.substring(0, slash)) && isWord(text.substring(slash + 1));
  }

  /** Returns a text as it is written in the document. */
  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }

  private static LabelSelector nodes(Section root) {
    if (!root.has("nodes")) {
      root.problem(
          "nodes",
          "missing",
          "must select the nodes of this scheduler",
          "Write {} if it is the only scheduler of all nodes.");
    }
    Section nodes = root.section("nodes");
    Map<String, String> labels =
        nodes.textMap(
            "matchLabels",
            ConfigurationReader::isLabelKey,
            ConfigurationReader::isLabelValue,
            WORD_RULE);
    List<LabelSelectorRequirement> requirements = new ArrayList<>();
    for (Section each : nodes.sections("matchExpressions")) {
      requirement(each).ifPresent(requirements::add);
    }
    nodes.end();
    return new LabelSelectorBuilder()
        .withMatchLabels(labels)
        .withMatchExpressions(requirements)
        .build();
  }

  private static Optional<LabelSelectorRequirement> requirement(Section section) {
    Optional<String> key = section.requiredText("key", ConfigurationReader::isLabelKey, KEY_RULE);
    Set<String> operators = new TreeSet<>(Set.of("In", "NotIn", "Exists", "DoesNotExist"));
    Optional<String> operator =
        section.requiredText(
            "operator", operators::contains, "must be one of " + String.join(", ", operators));
    List<String> values = section.texts("values", ConfigurationReader::isLabelValue, WORD_RULE);
    section.end();
    if (key.isEmpty() || operator.isEmpty()) {
      return Optional.empty();
    }
    boolean lists = operator.get().endsWith("In");
    if (lists == values.isEmpty()) {
      section.problem(
          section.at("values"),
          values,
          lists ? "must have a value" : "must be empty",
          "Only In and NotIn list values.");
    }
    return Optional.of(
        new LabelSelectorRequirementBuilder()
            .withKey(key.get())
            .withOperator(operator.get())
            .withValues(values)
            .build());
  }

  /** The service classes that are read. */
  private static final class Classes {
    final Map<String, ServiceClass> byName = new LinkedHashMap<>();
    final Map<String, String> byPriorityClass = new LinkedHashMap<>();
  }

  private static Classes classes(Section root) {
    Classes classes = new Classes();
    List<Section> sections = root.sections("serviceClasses");

    if (!root.has("serviceClasses") || sections.isEmpty()) {
      root.problem("serviceClasses", "empty", "must have at least one service class", "");
    }
    sections.forEach(each -> readClass(each, classes));
    return classes;
  }

  private static void readClass(Section section, Classes classes) {
    Optional<String> name = section.requiredText("name", ConfigurationReader::isWord, WORD_RULE);
    ServiceClass.Builder draft = ServiceClass.builder(name.orElse("unnamed"));
    section.share("slo", 0.001).ifPresent(draft::slo);
    section.share("preemptionOverheadLimit", 0).ifPresent(draft::preemptionOverheadLimit);
    draft.importance(section.whole("importance", 1, Integer.MAX_VALUE, 1));
    draft.safetyMargin(
        section.duration(
            "safetyMargin", Duration.ZERO, LONGEST_MARGIN, ServiceClass.DEFAULT_SAFETY_MARGIN));
    List<String> priorities =
        section.texts("priorityClasses", ConfigurationReader::isSubdomain, SUBDOMAIN_RULE);
    section.end();
    if (name.isEmpty()) {
      return;
    }
    if (classes.byName.putIfAbsent(name.get(), draft.build()) != null) {
      section.problem(
          section.at("name"), quoted(name.get()), "must differ from the other names", "");
    }
    for (int i = 0; i < priorities.size(); i++) {
      String other = classes.byPriorityClass.putIfAbsent(priorities.get(i), name.get());
      if (other != null) {
        section.problem(
            "%s[%s]".formatted(section.at("priorityClasses"), i),
            quoted(priorities.get(i)),
            "must be given once",
            "It stands for %s already.".formatted(other));
      }
    }
  }

  private static Optional<String> defaultClass(Section root, Classes classes) {
    Optional<String> name = root.text("defaultClass", text -> true, "");
    if (name.isPresent() && !classes.byName.containsKey(name.get())) {
      root.problem(
          "defaultClass",
          quoted(name.get()),
          "must be a service class",
          NearestName.hintAndList(name.get(), classes.byName.keySet()));
    }
    return name;
  }

  private static Optional<Path> folder(Section root, String text) {
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException malformed) {
      root.problem("plugins", quoted(text), "must be the path of a folder", "");
      return Optional.empty();
    }
  }

  private PolicyRegistry known(Section root, Optional<Path> plugins) {
    try {
      return policies.apply(plugins);
    } catch (RuntimeException failed) { // a provider may fail in any way
      root.problem(
          "plugins",
          plugins.map(path -> quoted(path.toString())).orElse("none"),
          "must be a folder of jars with policies",
          String.valueOf(failed.getMessage()));
      return PolicyRegistry.of();
    }
  }

  private String policyConfig(Section policy, String id, PolicyRegistry known) {
    JsonNode config = policy.object("config");
    if (known.ids().contains(id)) {
      bind(known.get(id), policy.at("config"), config);
    } else if (!known.ids().isEmpty()) {
      policy.problem(
          policy.at("id"), quoted(id), "is no policy", NearestName.hintAndList(id, known.ids()));
    }
    return config.toString();
  }

  @SuppressWarnings("unchecked") // the class of a record of type C is a Class<C>
  private <C extends Record> void bind(PolicyFactory<C> factory, String path, JsonNode config) {
    C defaults = factory.defaults();
    Class<C> type = (Class<C>) defaults.getClass();
    try {
      TreeBinder.bind("policy " + factory.id(), path, type, defaults, config);
    } catch (ConfigException invalid) {
      problems.addAll(invalid.problems());
    }
  }

  private static LoopSettings loop(Section section) {
    LoopSettings defaults = LoopSettings.defaults();
    int most = Integer.MAX_VALUE;
    int capacity = section.whole("queueCapacity", 1, most, defaults.queueCapacity());
    int perHost = section.whole("underWayPerHost", 1, most, defaults.underWayPerHost());
    int attempts = section.whole("actionAttempts", 1, most, defaults.actionAttempts());
    Duration timeout = section.duration("actionTimeout", SHORTEST, LONGEST, ACTION_TIMEOUT);
    Section delay = section.section("retryDelay");
    Duration first = delay.duration("first", SHORTEST, LONGEST, defaults.retryDelay().first());
    Duration longest = delay.duration("longest", SHORTEST, LONGEST, later(first, defaults));
    delay.end();
    if (longest.compareTo(first) < 0) {
      delay.problem(
          delay.at("longest"), longest, "must be at least %s".formatted(delay.at("first")), "");
      longest = first;
    }
    Duration interval =
        section.duration("passInterval", Duration.ZERO, LONGEST, defaults.passInterval());
    Duration reconcile =
        section.duration(
            "reconcileEvery", SHORTEST, LONGEST, defaults.reconcileEvery().orElse(LONGEST));
    Duration busy = section.duration("busyTimeout", SHORTEST, LONGEST, defaults.busyTimeout());
    section.end();
    return defaults
        .withQueueCapacity(capacity)
        .withUnderWayPerHost(perHost)
        .withAttempts(attempts, timeout, new Backoff(first, longest))
        .withPassInterval(interval)
        .withReconciliation(true, Optional.of(reconcile))
        .withBusyTimeout(busy);
  }

  /** Returns the default of the longest delay, which is not shorter than the first one. */
  private static Duration later(Duration first, LoopSettings defaults) {
    Duration longest = defaults.retryDelay().longest();
    return longest.compareTo(first) < 0 ? first : longest;
  }

  private static PeerLabels peerLabels(Section root) {
    if (!root.has("peerLabels")) {
      return PeerLabels.DEFAULT;
    }
    List<List<String>> sets =
        root.textLists("peerLabels", ConfigurationReader::isLabelKey, KEY_RULE);
    boolean wrong = false;
    for (int i = 0; i < sets.size(); i++) {
      int size = new HashSet<>(sets.get(i)).size();
      if (size < 2 || size > PeerLabels.MOST_KEYS) {
        root.problem(
            "peerLabels[%s]".formatted(i),
            sets.get(i),
            "must have from 2 to %s different keys".formatted(PeerLabels.MOST_KEYS),
            "");
        wrong = true;
      }
    }
    if (sets.size() > PeerLabels.MOST_SETS) {
      root.problem(
          "peerLabels",
          sets.size() + " sets",
          "must have at most %s".formatted(PeerLabels.MOST_SETS),
          "");
      wrong = true;
    }
    if (wrong) {
      return PeerLabels.DEFAULT;
    }
    try {
      return PeerLabels.of(sets);
    } catch (IllegalArgumentException tooLong) {
      root.problem("peerLabels", sets, "must have keys that are shorter together", "");
      return PeerLabels.DEFAULT;
    }
  }
}

package dev.berth.kubernetes.meaning;

import dev.berth.api.Peers;
import dev.berth.api.Request;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How selectors of pods become {@link Peers}. Immutable.
 *
 * <p>Peers of the scheduler have one label with one value, whereas selectors may name several
 * labels. So each request gets, besides the labels of its pod, one label for each set of keys that
 * selectors may name together. The value of each label begins with the namespace: {@code app} is
 * {@code default/web}, and {@code app,tier} is {@code default/web,front}. {@value #NAMESPACE} holds
 * the namespace alone. Labels that differ for each pod of a controller, such as its index, are left
 * out, and a selector that names one is refused.
 *
 * <p>The sets are fixed while a scheduler runs, since requests keep their labels. A selector that
 * names another set is refused.
 *
 * @param together the sets of keys, each of at least two
 */
public record PeerLabels(Set<SortedSet<String>> together) {

  /** The label that holds the namespace. No label of a pod can have this name. */
  public static final String NAMESPACE = "field:metadata.namespace";

  /** The greatest number of sets. */
  public static final int MOST_SETS = 16;

  /** The greatest number of keys in a set. */
  public static final int MOST_KEYS = 4;

  private static final int MOST_COMBINATIONS = 16;

  /**
   * Labels that differ for each pod of a controller. Requests lack them, because requests with
   * other labels are searched for one by one.
   */
  private static final Set<String> OF_ONE_POD =
      Set.of(
          "statefulset.kubernetes.io/pod-name",
          "apps.kubernetes.io/pod-index",
          "batch.kubernetes.io/job-completion-index");

  private static final String NAME = "app.kubernetes.io/name";
  private static final String INSTANCE = "app.kubernetes.io/instance";
  private static final String COMPONENT = "app.kubernetes.io/component";
  private static final String HASH = "pod-template-hash";

  /**
   * The sets that most charts and controllers use: {@code app} or {@code k8s-app} with {@code
   * pod-template-hash}, {@code app} with {@code component}, {@code tier} or {@code release}, and
   * {@code app.kubernetes.io/instance} with {@code name}, perhaps with {@code component} or {@code
   * pod-template-hash}.
   */
  public static final PeerLabels DEFAULT =
      of(
          List.of(
              List.of("app", HASH),
              List.of("k8s-app", HASH),
              List.of("app", "component"),
              List.of("app", "tier"),
              List.of("app", "release"),
              List.of(INSTANCE, NAME),
              List.of(INSTANCE, NAME, HASH),
              List.of(INSTANCE, NAME, COMPONENT),
              List.of(INSTANCE, NAME, COMPONENT, HASH)));

  /**
   * Copies the sets.
   *
   * @throws IllegalArgumentException if there are too many sets or a set has a wrong size
   */
  public PeerLabels {
    Set<SortedSet<String>> copy = new LinkedHashSet<>();
    for (SortedSet<String> each : together) {
      if (each.size() < 2 || each.size() > MOST_KEYS) {
        throw new IllegalArgumentException(
            "labels %s were given together, must be from 2 to %s.".formatted(each, MOST_KEYS));
      }
      if (labelName(each).length() > Request.LONGEST_LABEL) {
        throw new IllegalArgumentException(
            "labels %s were given together, must have at most %s characters."
                .formatted(each, Request.LONGEST_LABEL));
      }
      copy.add(Collections.unmodifiableSortedSet(new TreeSet<>(each)));
    }
    if (copy.size() > MOST_SETS) {
      throw new IllegalArgumentException(
          "there were %s sets of labels, must be at most %s.".formatted(copy.size(), MOST_SETS));
    }
    together = Collections.unmodifiableSet(copy);
  }

  /** Returns the sets of these keys, in any order. */
  public static PeerLabels of(List<List<String>> sets) {
    Set<SortedSet<String>> together = new LinkedHashSet<>();
    sets.forEach(each -> together.add(new TreeSet<>(each)));
    return new PeerLabels(together);
  }

  private static String labelName(SortedSet<String> keys) {
    return String.join(",", keys);
  }

  private static String scoped(String namespace, String value) {
    return namespace + "/" + value;
  }

  /** Returns the labels of the request of a pod. */
  Map<String, String> labelsOf(String namespace, Map<String, String> podLabels) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(NAMESPACE, namespace);
    Map<String, String> shared = new TreeMap<>(podLabels);
    shared.keySet().removeAll(OF_ONE_POD);
    shared.forEach((key, value) -> labels.put(key, scoped(namespace, value)));
    for (SortedSet<String> keys : together) {
      if (shared.keySet().containsAll(keys)) {
        labels.put(
            labelName(keys), scoped(namespace, joined(keys.stream().map(shared::get).toList())));
      }
    }
    return labels;
  }

  private static String joined(List<String> values) {
    return String.join(",", values); // no value has a comma
  }

  /**
   * Returns the pods that a selector names: the union of these peers. It is empty if the selector
   * matches no pod, or cannot be said, which is refused.
   *
   * @param path place of the selector, for messages
   * @param namespaces the namespaces in which it looks
   * @param likeOurs keys of labels that must have the same value as those of the pod itself
   * @param podLabels labels of the pod itself
   */
  List<Peers> select(
      String path,
      Set<String> namespaces,
      @Nullable LabelSelector selector,
      List<String> likeOurs,
      Map<String, String> podLabels,
      Findings findings) {
    if (selector == null) {
      return List.of(); // matches no pod
    }
    TreeMap<String, Set<String>> allowed = new TreeMap<>();
    Nulls.map(selector.getMatchLabels())
        .forEach((key, value) -> allow(allowed, key, Set.of(value)));
    List<LabelSelectorRequirement> expressions = Nulls.list(selector.getMatchExpressions());
    for (LabelSelectorRequirement each : expressions) {
      if (Nulls.text(each.getOperator()).equals("In")) {
        allow(allowed, Nulls.text(each.getKey()), new HashSet<>(Nulls.list(each.getValues())));
      }
    }
    for (int i = 0; i < expressions.size(); i++) {
      LabelSelectorRequirement each = expressions.get(i);
      if (!narrows(allowed, each)) {
        findings.refuse(
            path + ".matchExpressions[%s].operator".formatted(i),
            Nulls.text(each.getOperator()),
            "must be In, or narrow the values that In lists for the same key");
        return List.of();
      }
    }
    for (String key : likeOurs) {
      if (podLabels.containsKey(key)) { // Kubernetes, too, ignores keys that the pod lacks
        allow(allowed, key, Set.of(podLabels.get(key)));
      }
    }
    return peers(path, namespaces, allowed, findings);
  }

  /** Takes a requirement into account; not if it is about values that are not listed. */
  private static boolean narrows(
      Map<String, Set<String>> allowed, LabelSelectorRequirement requirement) {
    Set<String> listed = allowed.get(Nulls.text(requirement.getKey()));
    return switch (Nulls.text(requirement.getOperator())) {
      case "In" -> true;
      case "Exists" -> listed != null;
      case "NotIn" -> {
        if (listed != null) {
          listed.removeAll(new HashSet<>(Nulls.list(requirement.getValues())));
        }
        yield listed != null;
      }
      default -> false;
    };
  }

  private static void allow(Map<String, Set<String>> allowed, String key, Set<String> values) {
    Set<String> left = new TreeSet<>(allowed.getOrDefault(key, values));
    left.retainAll(values);
    allowed.put(key, left);
  }

  private List<Peers> peers(
      String path,
      Set<String> namespaces,
      TreeMap<String, Set<String>> allowed,
      Findings findings) {
    SortedSet<String> keys = new TreeSet<>(allowed.keySet());
    if (keys.stream().anyMatch(String::isBlank)) {
      findings.refuse(path, keys, "must not have a blank key");
      return List.of();
    }
    if (keys.stream().anyMatch(OF_ONE_POD::contains)) {
      findings.refuse(path, keys, "must not name a label that one pod alone has");
      return List.of();
    }
    if (keys.size() > 1 && !together.contains(keys)) {
      findings.refuse(
          path,
          keys,
          "must name one label, or labels that peerLabels of the configuration has together",
          "Add %s to peerLabels, or name one of them.".formatted(keys));
      return List.of();
    }
    List<List<String>> combinations = new ArrayList<>(List.of(List.of()));
    for (Set<String> values : allowed.values()) {
      int number = Math.multiplyExact(combinations.size(), values.size()); // the first is small
      if (number > MOST_COMBINATIONS) {
        return tooMany(path, number, findings);
      }
      List<List<String>> longer = new ArrayList<>();
      for (List<String> each : combinations) {
        for (String value : values) {
          List<String> more = new ArrayList<>(each);
          more.add(value);
          longer.add(more);
        }
      }
      combinations = longer;
    }
    if (combinations.size() * namespaces.size() > MOST_COMBINATIONS) {
      return tooMany(path, combinations.size() * namespaces.size(), findings);
    }
    List<Peers> any = new ArrayList<>();
    for (String namespace : new TreeSet<>(namespaces)) {
      for (List<String> values : combinations) {
        any.add(
            keys.isEmpty()
                ? Peers.labelled(NAMESPACE, namespace)
                : Peers.labelled(labelName(keys), scoped(namespace, joined(values))));
      }
    }
    return any;
  }

  private static List<Peers> tooMany(String path, int combinations, Findings findings) {
    findings.refuse(
        path,
        combinations + " combinations of values",
        "must be at most %s".formatted(MOST_COMBINATIONS));
    return List.of();
  }
}

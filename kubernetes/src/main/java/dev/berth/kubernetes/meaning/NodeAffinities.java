package dev.berth.kubernetes.meaning;

import dev.berth.api.Constraint;
import dev.berth.api.Preference;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Translates node selectors and node affinity. */
final class NodeAffinities {

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,40}");

  private NodeAffinities() {}

  /**
   * Returns the constraints of a node selector, whose terms are alternatives.
   *
   * <p>Alternatives can be said if they differ in one key only, for which each of them lists
   * values. Then they are one list.
   *
   * @param path place of the selector, for messages
   */
  static List<Constraint> required(
      String path, @Nullable NodeSelector selector, Findings findings) {
    if (selector == null) {
      return List.of();
    }
    List<NodeSelectorTerm> terms = Nulls.list(selector.getNodeSelectorTerms());
    List<Set<Constraint>> alternatives = new ArrayList<>();
    int before = findings.faults();
    for (int i = 0; i < terms.size(); i++) {
      if (!isEmpty(terms.get(i))) { // a term that says nothing matches no node
        String place = "%s.nodeSelectorTerms[%s]".formatted(path, i);
        alternatives.add(new HashSet<>(term(place, terms.get(i), findings)));
      }
    }
    if (findings.faults() > before) {
      return List.of();
    }
    if (alternatives.isEmpty()) {
      findings.refuse(path + ".nodeSelectorTerms", terms.size() + " terms", "must match some node");
      return List.of();
    }
    return union(path + ".nodeSelectorTerms", alternatives, findings);
  }

  private static boolean isEmpty(NodeSelectorTerm term) {
    return Nulls.list(term.getMatchExpressions()).isEmpty()
        && Nulls.list(term.getMatchFields()).isEmpty();
  }

  private static List<Constraint> union(
      String path, List<Set<Constraint>> alternatives, Findings findings) {
    Set<Constraint> common = new HashSet<>(alternatives.get(0));
    alternatives.forEach(common::retainAll);
    List<Constraint> all = new ArrayList<>(common);
    all.sort((a, b) -> a.describe().compareTo(b.describe()));
    Set<String> values = new TreeSet<>();
    String key = "";
    for (Set<Constraint> each : alternatives) {
      List<Constraint> rest = new ArrayList<>(each);
      rest.removeAll(common);
      if (rest.isEmpty()) {
        return all; // it is what the others ask for, or less
      }
      if (rest.size() > 1
          || !(rest.get(0) instanceof Constraint.In in)
          || !(key.isEmpty() || key.equals(in.attribute()))) {
        findings.refuse(
            path,
            alternatives.size() + " alternatives",
            "must differ in one key only, for which each lists values with In",
            "Use one term.");
        return List.of();
      }
      key = in.attribute();
      values.addAll(in.values());
    }
    all.add(new Constraint.In(key, values));
    return all;
  }

  /** Returns the constraints of a term, all of which must hold. */
  private static List<Constraint> term(String path, NodeSelectorTerm term, Findings findings) {
    List<Constraint> all = new ArrayList<>();
    List<NodeSelectorRequirement> expressions = Nulls.list(term.getMatchExpressions());
    for (int i = 0; i < expressions.size(); i++) {
      String place = "%s.matchExpressions[%s]".formatted(path, i);
      String key = Nulls.text(expressions.get(i).getKey());
      if (key.isBlank()) {
        findings.refuse(place + ".key", key, "must not be blank");
      } else {
        all.addAll(requirement(place, key, expressions.get(i), findings));
      }
    }
    List<NodeSelectorRequirement> fields = Nulls.list(term.getMatchFields());
    for (int i = 0; i < fields.size(); i++) {
      String place = "%s.matchFields[%s]".formatted(path, i);
      String key = Nulls.text(fields.get(i).getKey());
      if (key.equals("metadata.name")) {
        all.addAll(requirement(place, NodeMeaning.NAME_ATTRIBUTE, fields.get(i), findings));
      } else {
        findings.refuse(place + ".key", key, "must be metadata.name");
      }
    }
    return all;
  }

  private static List<Constraint> requirement(
      String path, String key, NodeSelectorRequirement given, Findings findings) {
    List<String> values = Nulls.list(given.getValues());
    String operator = Nulls.text(given.getOperator());
    return switch (operator) {
      case "In" -> List.of(new Constraint.In(key, new TreeSet<>(values)));
      case "NotIn" ->
          values.stream().<Constraint>map(value -> new Constraint.NotEqual(key, value)).toList();
      case "Exists" -> List.of(new Constraint.Exists(key));
      case "Gt" ->
          bound(path, values, findings).stream()
              .<Constraint>map(it -> new Constraint.GreaterThan(key, it))
              .toList();
      case "Lt" ->
          bound(path, values, findings).stream()
              .<Constraint>map(it -> new Constraint.LessThan(key, it))
              .toList();
      case "DoesNotExist" -> {
        findings.refuse(
            path + ".operator",
            operator,
            "is not among the constraints of the scheduler",
            "Give the nodes a label with a value, and use NotIn.");
        yield List.of();
      }
      default -> {
        findings.refuse(path + ".operator", operator, "must be one of In, NotIn, Exists, Gt, Lt");
        yield List.of();
      }
    };
  }

  private static Optional<Long> bound(String path, List<String> values, Findings findings) {
    if (values.size() == 1 && WHOLE.matcher(values.get(0)).matches()) {
      BigInteger bound = new BigInteger(values.get(0));
      if (bound.bitLength() < Long.SIZE) {
        return Optional.of(bound.longValueExact());
      }
    }
    findings.refuse(path + ".values", values, "must be one whole number of 64 bits");
    return Optional.empty();
  }

  /** Returns the preferences for nodes; terms that no single constraint can say are left out. */
  static List<Preference> preferred(@Nullable NodeAffinity affinity, Findings findings) {
    List<Preference> preferences = new ArrayList<>();
    List<PreferredSchedulingTerm> terms =
        affinity == null
            ? List.of()
            : Nulls.list(affinity.getPreferredDuringSchedulingIgnoredDuringExecution());
    for (int i = 0; i < terms.size(); i++) {
      String path =
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[%s]"
              .formatted(i);
      NodeSelectorTerm term = terms.get(i).getPreference();
      if (term == null || isEmpty(term)) {
        continue; // Kubernetes ignores it too
      }
      Findings own = new Findings();
      List<Constraint> constraints = term(path + ".preference", term, own);
      Optional<Integer> weight = Weights.read(path + ".weight", terms.get(i).getWeight(), own);
      own.refused().forEach(findings::leaveOut);
      if (own.refused().isEmpty() && constraints.size() != 1) {
        findings.leaveOut(
            path + ".preference",
            constraints.size() + " conditions",
            "must be one condition to be a preference",
            "Use several preferences.");
      } else if (own.refused().isEmpty() && weight.isPresent()) {
        preferences.add(new Preference.OnHost(constraints.get(0), weight.get()));
      }
    }
    return preferences;
  }
}

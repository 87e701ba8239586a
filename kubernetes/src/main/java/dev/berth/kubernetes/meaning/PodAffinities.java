package dev.berth.kubernetes.meaning;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates pod affinity, pod anti-affinity and topology spread constraints of one pod. Not
 * thread-safe.
 */
final class PodAffinities {

  /** The weight of a spread that is a wish, for each pod that is already in the place. */
  static final int SPREAD_WEIGHT = 10;

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private final String namespace;
  private final Map<String, String> labels;
  private final PeerLabels peerLabels;
  private final Findings findings;
  private final Set<Constraint> constraints = new LinkedHashSet<>();
  private final Set<PlacementRule> rules = new LinkedHashSet<>();
  private final List<Preference> preferences = new ArrayList<>();

  PodAffinities(
      String namespace, Map<String, String> labels, PeerLabels peerLabels, Findings findings) {
    this.namespace = namespace;
    this.labels = labels;
    this.peerLabels = peerLabels;
    this.findings = findings;
  }

  /** Returns conditions on hosts that follow from spread constraints without a selector. */
  Set<Constraint> constraints() {
    return constraints;
  }

  Set<PlacementRule> rules() {
    return rules;
  }

  List<Preference> preferences() {
    return preferences;
  }

  void read(Affinity affinity) {
    if (affinity.getPodAntiAffinity() != null) {
      String path = "spec.affinity.podAntiAffinity.";
      readApart(
          path + REQUIRED,
          Nulls.list(
              affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution()));
      readWishes(
          path + PREFERRED,
          Nulls.list(
              affinity.getPodAntiAffinity().getPreferredDuringSchedulingIgnoredDuringExecution()),
          true);
    }
    if (affinity.getPodAffinity() != null) {
      String path = "spec.affinity.podAffinity.";
      readNear(
          path + REQUIRED,
          Nulls.list(
              affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution()));
      readWishes(
          path + PREFERRED,
          Nulls.list(
              affinity.getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution()),
          false);
    }
  }

  private void readApart(String path, List<PodAffinityTerm> terms) {
    for (int i = 0; i < terms.size(); i++) {
      String place = "%s[%s]".formatted(path, i);
      Optional<Domain> domain = domain(place, terms.get(i).getTopologyKey(), findings);
      List<Peers> any = select(place, terms.get(i), findings);
      // Apart from a union is apart from each part of it.
      domain.ifPresent(it -> any.forEach(peers -> rules.add(new PlacementRule.Apart(peers, it))));
    }
  }

  private void readNear(String path, List<PodAffinityTerm> terms) {
    if (terms.size() > 1) {
      findings.refuse(
          path,
          terms.size() + " terms",
          "must be one term, since several mean pods that match all of them",
          "Put the labels into one term.");
      return;
    }
    for (PodAffinityTerm each : terms) {
      String place = path + "[0]";
      int before = findings.faults();
      Optional<Domain> domain = domain(place, each.getTopologyKey(), findings);
      List<Peers> any = select(place, each, findings);
      if (findings.faults() == before && one(place, any, findings)) {
        domain.ifPresent(it -> rules.add(new PlacementRule.Near(any.get(0), it)));
      }
    }
  }

  private void readWishes(String path, List<WeightedPodAffinityTerm> terms, boolean apart) {
    for (int i = 0; i < terms.size(); i++) {
      Findings own = new Findings();
      String place = "%s[%s]".formatted(path, i);
      PodAffinityTerm term = terms.get(i).getPodAffinityTerm();
      Optional<Integer> weight = Weights.read(place + ".weight", terms.get(i).getWeight(), own);
      if (term != null) {
        String inner = place + ".podAffinityTerm";
        Optional<Domain> domain = domain(inner, term.getTopologyKey(), own);
        List<Peers> any = select(inner, term, own);
        if (own.refused().isEmpty()) {
          any.forEach(
              peers ->
                  preferences.add(
                      apart
                          ? new Preference.Apart(peers, domain.orElseThrow(), weight.orElseThrow())
                          : new Preference.Near(
                              peers, domain.orElseThrow(), weight.orElseThrow())));
        }
      }
      own.refused().forEach(findings::leaveOut);
    }
  }

  private List<Peers> select(String path, PodAffinityTerm term, Findings into) {
    if (!Nulls.list(term.getMismatchLabelKeys()).isEmpty()) {
      into.refuse(
          path + ".mismatchLabelKeys",
          term.getMismatchLabelKeys(),
          "is more than peers of the scheduler can express");
      return List.of();
    }
    if (term.getNamespaceSelector() != null) {
      into.refuse(
          path + ".namespaceSelector",
          "a selector",
          "is more than peers of the scheduler can express",
          "List the namespaces.");
      return List.of();
    }
    List<String> named = Nulls.list(term.getNamespaces());
    return peerLabels.select(
        path + ".labelSelector",
        named.isEmpty() ? Set.of(namespace) : Set.copyOf(named),
        term.getLabelSelector(),
        Nulls.list(term.getMatchLabelKeys()),
        labels,
        into);
  }

  private static boolean one(String path, List<Peers> any, Findings into) {
    if (any.size() == 1) {
      return true;
    }
    into.refuse(
        path + ".labelSelector",
        any.isEmpty() ? "no pod" : any.size() + " combinations of values and namespaces",
        "must name one value for each label, and one namespace");
    return false;
  }

  private static Optional<Domain> domain(String path, @Nullable String key, Findings into) {
    String topology = Nulls.text(key);
    if (topology.isBlank()) {
      into.refuse(path + ".topologyKey", topology, "must not be blank");
      return Optional.empty();
    }
    return Optional.of(topology.equals(HOSTNAME) ? Domain.HOST : Domain.of(topology));
  }

  /**
   * Reads topology spread constraints.
   *
   * @param narrowed whether the pod limits its nodes by a selector or an affinity
   */
  void readSpreads(List<TopologySpreadConstraint> spreads, boolean narrowed) {
    for (int i = 0; i < spreads.size(); i++) {
      TopologySpreadConstraint each = spreads.get(i);
      String path = "spec.topologySpreadConstraints[%s]".formatted(i);
      switch (Nulls.text(each.getWhenUnsatisfiable())) {
        case "DoNotSchedule" -> readSpread(path, each, narrowed);
        case "ScheduleAnyway" -> readSpreadWish(path, each);
        default ->
            findings.refuse(
                path + ".whenUnsatisfiable",
                Nulls.text(each.getWhenUnsatisfiable()),
                "must be one of DoNotSchedule, ScheduleAnyway");
      }
    }
  }

  private void readSpread(String path, TopologySpreadConstraint spread, boolean narrowed) {
    int before = findings.faults();
    Optional<Domain> domain = domain(path, spread.getTopologyKey(), findings);
    Integer maxSkew = spread.getMaxSkew();
    if (maxSkew == null || maxSkew < 1) {
      findings.refuse(path + ".maxSkew", maxSkew, "must be 1 or more");
    }
    if (spread.getMinDomains() != null && spread.getMinDomains() != 1) {
      findings.refuse(
          path + ".minDomains",
          spread.getMinDomains(),
          "must be 1, since the scheduler does not count places that do not exist");
    }
    if (Nulls.text(spread.getNodeTaintsPolicy()).equals("Honor")) {
      findings.refuse(
          path + ".nodeTaintsPolicy",
          "Honor",
          "must be Ignore, since the scheduler compares tainted hosts too");
    }
    if (narrowed && Nulls.text(spread.getNodeAffinityPolicy()).equals("Ignore")) {
      findings.refuse(
          path + ".nodeAffinityPolicy",
          "Ignore",
          "must be Honor for a pod with a node selector or affinity");
    }
    List<Peers> any = select(path, spread, findings);
    if (findings.faults() > before || maxSkew == null) {
      return;
    }
    if (any.isEmpty()) { // no pod is counted, but the node must be in some place
      domain.flatMap(Domain::attribute).map(Constraint.Exists::new).ifPresent(constraints::add);
    } else if (one(path, any, findings)) {
      domain.ifPresent(it -> rules.add(new PlacementRule.Spread(any.get(0), it, maxSkew)));
    }
  }

  private void readSpreadWish(String path, TopologySpreadConstraint spread) {
    Findings own = new Findings();
    Optional<Domain> domain = domain(path, spread.getTopologyKey(), own);
    List<Peers> any = select(path, spread, own);
    if (own.refused().isEmpty()) {
      any.forEach(
          peers ->
              preferences.add(new Preference.Apart(peers, domain.orElseThrow(), SPREAD_WEIGHT)));
    }
    own.refused().forEach(findings::leaveOut);
  }

  private List<Peers> select(String path, TopologySpreadConstraint spread, Findings into) {
    return peerLabels.select(
        path + ".labelSelector",
        Set.of(namespace),
        spread.getLabelSelector(),
        Nulls.list(spread.getMatchLabelKeys()),
        labels,
        into);
  }
}

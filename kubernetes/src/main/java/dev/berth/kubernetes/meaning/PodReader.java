package dev.berth.kubernetes.meaning;

import dev.berth.api.Constraint;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Toleration;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Translates one pod into a request, and collects all reasons against it. Not thread-safe. */
final class PodReader {

  /** The label of a pod of a Job that resumes where an earlier pod stopped. */
  private static final String KEEPS_PROGRESS = "berth.dev/keeps-progress";

  /** Each is checked on many nodes. A {@code NotIn} is one for each of its values. */
  private static final int MOST_CONSTRAINTS = 256;

  private static final int MOST_RESOURCES = 64;

  private static final long LONGEST = Duration.ofDays(36_500).toSeconds();

  private final String instance;
  private final Pod pod;
  private final PodRules rules;
  private final Claims claims;
  private final Findings findings = new Findings();
  private final ObjectMeta meta;
  private final String namespace;
  private final Map<String, String> podLabels;
  private final Set<Constraint> constraints = new LinkedHashSet<>();
  private final Set<PlacementRule> placementRules = new LinkedHashSet<>();
  private final List<Preference> preferences = new ArrayList<>();
  private final Map<String, String> labels = new TreeMap<>();

  PodReader(String instance, Pod pod, PodRules rules, Claims claims) {
    this.instance = instance;
    this.pod = pod;
    this.rules = rules;
    this.claims = claims;
    this.meta = pod.getMetadata() == null ? new ObjectMeta() : pod.getMetadata();
    this.namespace = Nulls.text(meta.getNamespace());
    this.podLabels = Nulls.map(meta.getLabels());
  }

  PodMeaning read() {
    PodSpec spec = pod.getSpec();
    if (spec == null) {
      findings.refuse("spec", "missing", "must be there");
      return new PodMeaning.Refused(findings.refused());
    }
    if (namespace.isBlank()) {
      findings.refuse("metadata.namespace", namespace, "must not be blank");
    }
    Optional<String> serviceClass = rules.serviceClasses().classOf(pod, findings);
    Resources demand = PodDemand.read(pod, findings);
    readUnknown(spec);
    readNodes(spec);
    readPeers(spec);
    readPorts();
    List<Toleration> tolerations = Tolerations.read(Nulls.list(spec.getTolerations()), findings);
    constraints.addAll(
        Volumes.read(
            namespace,
            Nulls.text(meta.getName()),
            Nulls.list(spec.getVolumes()),
            claims,
            findings));
    readLabels();
    requireFew("rules about other pods", placementRules.size(), PlacementSpec.MOST);
    requireFew("conditions on nodes", constraints.size(), MOST_CONSTRAINTS);
    requireFew("resources", demand.dimensions().size(), MOST_RESOURCES);
    if (serviceClass.isEmpty() || !findings.refused().isEmpty()) {
      return new PodMeaning.Refused(findings.refused());
    }
    return understood(serviceClass.get(), demand, tolerations, spec);
  }

  private PodMeaning understood(
      String serviceClass, Resources demand, List<Toleration> tolerations, PodSpec spec) {
    Request.Builder request =
        Request.builder(instance, serviceClass)
            .demand(demand)
            .user(namespace)
            .labels(labels)
            .placement(new PlacementSpec(tolerations, List.copyOf(placementRules), heaviest()));
    constraints.forEach(request::constraint);
    request.job(Owner.jobOf(pod));
    boolean ofJob = Owner.of(pod).filter(owner -> owner.kind().equals("Job")).isPresent();
    request.losesProgress(ofJob && !"true".equals(podLabels.get(KEEPS_PROGRESS)));
    Long limit = spec.getActiveDeadlineSeconds();
    if (limit != null && limit > 0) {
      request.estimatedRunTime(Duration.ofSeconds(Math.min(limit, LONGEST)));
    }
    return new PodMeaning.Understood(request.build(), PodGroupRef.of(pod), findings.leftOut());
  }

  private void requireFew(String what, int count, int most) {
    if (count > most) {
      findings.refuse("spec", count + " " + what, "must have at most %s".formatted(most));
    }
  }

  /** Returns the preferences; if there are too many, the heaviest. */
  private List<Preference> heaviest() {
    if (preferences.size() <= PlacementSpec.MOST) {
      return preferences;
    }
    findings.leaveOut(
        "spec.affinity",
        preferences.size() + " preferences",
        "must have at most %s; the lightest are left out".formatted(PlacementSpec.MOST),
        "");
    List<Preference> sorted = new ArrayList<>(preferences);
    sorted.sort(Comparator.comparingInt(Preference::weight).reversed());
    return sorted.subList(0, PlacementSpec.MOST);
  }

  /** Refuses what this version does not know, since it may be about the choice of a node. */
  private void readUnknown(PodSpec spec) {
    Nulls.map(spec.getAdditionalProperties())
        .forEach(
            (name, value) -> {
              if (!rules.ignoredFields().contains(name)) {
                findings.refuse(
                    "spec." + name,
                    value,
                    "is unknown to this version of the scheduler",
                    "If it does not matter for the choice of a node, add it to ignoredPodFields.");
              }
            });
    if (!Nulls.list(spec.getResourceClaims()).isEmpty()) {
      findings.refuse(
          "spec.resourceClaims",
          spec.getResourceClaims().size() + " claims",
          "is dynamic resource allocation, which the scheduler does not do",
          "Ask for an extended resource.");
    }
    PodSchedulingGroup group = spec.getSchedulingGroup();
    if (group != null && Nulls.text(group.getPodGroupName()).isBlank()) {
      findings.refuse("spec.schedulingGroup", group, "must name a PodGroup");
    }
    if (Nulls.text(spec.getPreemptionPolicy()).equals("Never")) {
      findings.leaveOut(
          "spec.preemptionPolicy",
          "Never",
          "is left out; the service class says which pods are preempted",
          "");
    }
  }

  private void readNodes(PodSpec spec) {
    Nulls.map(spec.getNodeSelector())
        .forEach(
            (key, value) -> {
              if (key.isBlank()) {
                findings.refuse("spec.nodeSelector", key, "must not have a blank key");
              } else {
                constraints.add(new Constraint.Equal(key, value));
              }
            });
    Affinity affinity = spec.getAffinity();
    if (affinity != null && affinity.getNodeAffinity() != null) {
      constraints.addAll(
          NodeAffinities.required(
              "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
              affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution(),
              findings));
      preferences.addAll(NodeAffinities.preferred(affinity.getNodeAffinity(), findings));
    }
    readOs(spec.getOs() == null ? null : spec.getOs().getName());
  }

  /** A kubelet refuses pods of another operating system. */
  private void readOs(@Nullable String name) {
    String label = "kubernetes.io/os";
    switch (Nulls.text(name)) {
      case "" -> {}
      case "linux" -> constraints.add(new Constraint.NotEqual(label, "windows"));
      case "windows" -> constraints.add(new Constraint.Equal(label, "windows"));
      default -> findings.refuse("spec.os.name", Nulls.text(name), "must be one of linux, windows");
    }
  }

  private void readPeers(PodSpec spec) {
    PodAffinities affinities =
        new PodAffinities(namespace, podLabels, rules.peerLabels(), findings);
    if (spec.getAffinity() != null) {
      affinities.read(spec.getAffinity());
    }
    boolean narrowed = !constraints.isEmpty();
    affinities.readSpreads(Nulls.list(spec.getTopologySpreadConstraints()), narrowed);
    constraints.addAll(affinities.constraints());
    placementRules.addAll(affinities.rules());
    preferences.addAll(affinities.preferences());
  }

  private void readPorts() {
    for (HostPort each : PodDemand.hostPorts(pod)) {
      each.marks().forEach(mark -> labels.put(mark, HostPort.USED));
      placementRules.addAll(each.rules());
      constraints.addAll(each.constraints());
    }
  }

  private void readLabels() {
    labels.putAll(rules.peerLabels().labelsOf(namespace, podLabels));
    if (labels.keySet().stream().anyMatch(String::isBlank)) {
      findings.refuse("metadata.labels", podLabels, "must not have a blank key");
    }
    labels.forEach(
        (key, value) -> {
          int longest = Math.max(key.length(), value.length());
          if (longest > Request.LONGEST_LABEL) {
            findings.refuse(
                "metadata.labels",
                key,
                "must have at most %s characters, with the namespace"
                    .formatted(Request.LONGEST_LABEL));
          }
        });
    if (labels.size() > Request.MOST_LABELS) {
      findings.refuse(
          "metadata.labels",
          "%s labels and host ports, with those of peerLabels".formatted(labels.size()),
          "must have at most %s".formatted(Request.MOST_LABELS),
          "Remove labels, or sets of peerLabels.");
    }
  }
}

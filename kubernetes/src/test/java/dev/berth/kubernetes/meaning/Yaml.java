package dev.berth.kubernetes.meaning;

import dev.berth.api.Request;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Objects of Kubernetes as people write them. */
final class Yaml {

  static final PodRules RULES =
      new PodRules(
          new ServiceClassRules(
              Set.of("gold", "bronze"), Map.of("critical", "gold"), Optional.of("bronze")));

  private Yaml() {}

  /** Returns a pod {@code web-1} of {@code default} with the label {@code app: web}. */
  static Pod pod(String spec) {
    return podOf(
        """
        metadata:
          name: web-1
          namespace: default
          uid: u1
          labels: {app: web, tier: front}
        spec:
        """
            + spec.indent(2));
  }

  /** Returns a pod with one container that has these other parts. */
  static Pod with(String parts) {
    return pod("containers: [{name: main}]\n" + parts);
  }

  static Pod podOf(String yaml) {
    return Serialization.unmarshal(yaml, Pod.class);
  }

  static Node node(String yaml) {
    return Serialization.unmarshal(yaml, Node.class);
  }

  static PersistentVolume volume(String yaml) {
    return Serialization.unmarshal(yaml, PersistentVolume.class);
  }

  static PodMeaning.Understood understood(Pod pod) {
    PodMeaning meaning = PodMeaning.of("i", pod, RULES, Claims.NONE);
    if (meaning instanceof PodMeaning.Understood understood) {
      return understood;
    }
    throw new AssertionError("refused: " + meaning);
  }

  static Request request(Pod pod) {
    return understood(pod).request();
  }

  static List<String> refusals(Pod pod) {
    return refusals(pod, Claims.NONE);
  }

  static List<String> refusals(Pod pod, Claims claims) {
    return PodMeaning.of("i", pod, RULES, claims) instanceof PodMeaning.Refused refused
        ? refused.reasons().stream().map(Refusal::describe).toList()
        : List.of();
  }
}

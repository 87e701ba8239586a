package dev.berth.core.error;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The message on an unknown policy names the artifact of each policy that Berth has. */
class ShippedPoliciesTest {

  @Test
  void hasEachPolicyUnderItsArtifact() {
    PolicyRegistry registry = PolicyRegistry.load();
    Map<String, List<String>> actual =
        registry.ids().stream()
            .filter(id -> registry.get(id).getClass().getName().startsWith("dev.berth.policies."))
            .collect(
                groupingBy(
                    id ->
                        registry
                            .get(id)
                            .getClass()
                            .getPackageName()
                            .replace("dev.berth.", "berth-")
                            .replace('.', '-'),
                    mapping(id -> id, toList())));

    assertThat(ShippedPolicies.byArtifact()).containsExactlyInAnyOrderEntriesOf(actual);
  }

  @Test
  void messagesNameTheArtifact() {
    assertThat(new UnknownPolicyException("memic", List.of("qos-driven", "priority")))
        .hasMessage(
            "no policy memic. Maybe add the artifact berth-policies-memory."
                + " Known: qos-driven, priority.");
    assertThat(new UnknownPolicyException("memic", List.of()))
        .hasMessage(
            "no policy memic: no policies were found."
                + " Maybe add an artifact with policies, such as berth-policies-memory.");
    assertThat(new UnknownPolicyException("acme.mine", List.of("priority")))
        .hasMessage("no policy acme.mine. Known: priority.");
    assertThat(new UnknownPolicyException("acme.mine", List.of()))
        .hasMessage(
            "no policy acme.mine: no policies were found."
                + " Maybe add an artifact with policies, such as berth-policies-qos.");
  }
}

package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "web-7     | ReplicaSet  | web | labels: {app: web}                                      | -",
        "web-7     | StatefulSet | web | labels: {app: web}                                      | 7",
        "web       | StatefulSet | web | labels: {app: web}                                      | -",
        "a-x1      | Job         | a   | labels: {batch.kubernetes.io/job-completion-index: '3'} | 3",
        "a-x1      | Job         | a   | annotations: {batch.kubernetes.io/job-completion-index: '4'} | 4",
        "a-x1      | Job         | a   | labels: {app: web}                                      | -",
      })
  void knowsThePositionOfAPod(String pod, String kind, String owner, String more, String position) {
    Pod given =
        Yaml.podOf(
            """
            metadata:
              name: %s
              namespace: ns
              %s
              ownerReferences:
              - {kind: Other, name: x, uid: u0}
              - {kind: %s, name: %s, uid: u1, controller: true}
            """
                .formatted(pod, more, kind, owner));

    assertThat(Owner.of(given))
        .contains(new Owner("u1", kind, owner, Optional.ofNullable(position)));
    assertThat(Owner.jobOf(given)).isEqualTo("ns/%s/%s/u1".formatted(kind, owner));
  }

  @Test
  void podsWithoutAControllerAreAJobOfTheirNamespace() {
    Pod pod = Yaml.podOf("metadata: {name: a, namespace: ns, uid: u7}");

    assertThat(Owner.of(pod)).isEmpty();
    assertThat(Owner.jobOf(pod)).isEqualTo("ns/Pod");
  }
}

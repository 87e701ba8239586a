package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison on the pods and nodes of a cluster with Kubernetes. */
class KubectlCompareTest {

  @TempDir private Path folder;

  /** The node has room for one pod at a time. Pod a still runs when the file is written. */
  @Test
  void comparesPodsOnTheirNodes() throws IOException {
    Path cluster =
        Files.writeString(
            folder.resolve("cluster.json"),
            """
            {
                "apiVersion": "v1",
                "items": [
                    {"kind": "Pod", "metadata": {"name": "a", "namespace": "web", "creationTimestamp": "2026-03-01T12:00:00Z"},
                     "spec": {"containers": [{"resources": {"requests": {"cpu": "3"}}}], "priority": 1000},
                     "status": {"phase": "Running", "startTime": "2026-03-01T12:00:00Z"}},
                    {"kind": "Pod", "metadata": {"name": "b", "namespace": "web", "creationTimestamp": "2026-03-01T12:00:00Z"},
                     "spec": {"containers": [{"resources": {"requests": {"cpu": "2"}}}]},
                     "status": {"phase": "Succeeded", "startTime": "2026-03-01T12:00:00Z",
                                "containerStatuses": [{"state": {"terminated": {"startedAt": "2026-03-01T12:00:00Z", "finishedAt": "2026-03-01T12:05:00Z"}}}]}},
                    {"kind": "Pod", "metadata": {"name": "c", "namespace": "web", "creationTimestamp": "2026-03-01T12:00:00Z"},
                     "spec": {"containers": [{}]}, "status": {"phase": "Pending"}},
                    {"kind": "Node", "metadata": {"name": "n1", "creationTimestamp": "2026-01-01T00:00:00Z"},
                     "status": {"allocatable": {"cpu": "4", "memory": "16Gi"}, "conditions": [{"lastHeartbeatTime": "2026-03-01T12:10:00Z"}]}}
                ],
                "kind": "List"
            }
            """);

    Cli.Result result = Cli.compare(cluster.toString(), cluster.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("cluster.json (2 requests) on cluster.json (1 host)")
        .contains("gold (SLO 1), 1 request")
        .contains("silver (SLO 0.9), 1 request");
    assertThat(result.err()).contains("left out 1: pod that never ran");
  }
}

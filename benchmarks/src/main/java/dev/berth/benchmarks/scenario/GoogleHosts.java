package dev.berth.benchmarks.scenario;

import dev.berth.api.HostSpec;
import dev.berth.traces.Readers;
import dev.berth.traces.prepare.GoogleLikeHosts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts of the Google trace of 2011: those of a published sample, repeated, if the sample is
 * available; otherwise hosts with similar sizes.
 */
final class GoogleHosts {

  private static final String FOLDER = "berth.data"; // the name of a system property
  private static final String USUALLY = "../shared/data";
  private static final String SAMPLE = "google-infrastructures/sample3-infra-N.txt.gz";

  private GoogleHosts() {}

  /** Returns the path of the sample, which may be missing. */
  static Path sample() {
    return Path.of(System.getProperty(FOLDER, USUALLY), SAMPLE);
  }

  /** Returns a number of hosts; a shorter list is a prefix of a longer one. */
  static List<HostSpec> of(int count, Path sample) {
    if (!Files.isReadable(sample)) {
      return GoogleLikeHosts.of(count, ScenarioRun.SEED).hosts();
    }
    List<HostSpec> published = Readers.infrastructure(sample.toString()).hosts();
    List<HostSpec> hosts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      HostSpec like = published.get(i % published.size());
      hosts.add(new HostSpec("host-" + i, like.capacity(), like.attributes()));
    }
    return hosts;
  }
}

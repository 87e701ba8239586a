package dev.berth.kubernetes.command;

import dev.berth.core.error.ConfigException;
import dev.berth.kubernetes.binding.LeaderLease;
import dev.berth.kubernetes.config.Configuration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the scheduler until it is terminated. */
@Command(
    name = "run",
    header = "Schedules pods until it is terminated.",
    description =
        "Several may run: one of them leads, by a Lease, and the others wait. Serves /livez, "
            + "/readyz and /metrics, and its status page to localhost.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RunCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--lease",
      paramLabel = "NAME",
      defaultValue = "berth",
      description = "Name of the Lease. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // it has a default
  private String lease;

  @Option(
      names = "--alone",
      description = "Takes part in no election. Then nothing else may schedule for this name.")
  private boolean alone;

  @Option(
      names = "--identity",
      paramLabel = "NAME",
      description = "Name of this process in the Lease and in events. Default: the host's name.")
  private @Nullable String identity;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Where to serve. Default: ${DEFAULT-VALUE}, which others cannot reach.")
  @SuppressWarnings("NullAway.Init") // it has a default
  private String address;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "10259",
      description = "The port to serve; 0: any that is free. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Override
  public Integer call() throws IOException {
    if (port < 0 || port > 65_535) {
      throw new ClusterOptions.UnusableException(
          "--port was %s, must be from 0 to 65535.".formatted(port));
    }
    try (KubernetesClient client = cluster.connect()) {
      String me = identity != null ? identity : hostName();
      Configuration configuration = configuration(client, me);
      Leading leading = new Leading(client, configuration, cluster.namespace(), me);
      try (Endpoints endpoints = Endpoints.start(new InetSocketAddress(address, port), leading)) {
        LOG.info(
            "Scheduler {} as {}, policy {}, {} service classes; serves http://{}:{}.",
            configuration.schedulerName(),
            me,
            configuration.policy(),
            configuration.serviceClasses().size(),
            address,
            endpoints.port());
        return alone ? lead(leading) : takePart(client, me, leading);
      }
    }
  }

  private Configuration configuration(KubernetesClient client, String me) {
    Optional<ConfigMap> map = cluster.map(client);
    try {
      return cluster.read(map);
    } catch (ConfigException invalid) {
      invalid.problems().forEach(each -> LOG.error("Configuration: {}", each.describe()));
      map.ifPresent(it -> ConfigurationEvent.send(client, it, invalid, me));
      throw invalid;
    }
  }

  private static Integer lead(Leading leading) throws IOException {
    leading.begin(() -> true);
    return untilItFails(leading, leading::end);
  }

  private Integer takePart(KubernetesClient client, String me, Leading leading) {
    LeaderLease election =
        LeaderLease.start(
            client,
            cluster.namespace(),
            lease,
            // A process that starts again is another one: it has none of the earlier one's
            // requests.
            me + "-" + UUID.randomUUID(),
            LeaderLease.Times.DEFAULT,
            leading);
    return untilItFails(leading, election::close);
  }

  /** Waits until the scheduler fails. A signal ends the process in order, with exit code 0. */
  private static Integer untilItFails(Leading leading, Runnable stop) {
    Thread hook =
        new Thread(
            () -> {
              LOG.info("Terminated.");
              stop.run();
              Runtime.getRuntime().halt(0); // an end as asked for is no failure
            },
            "berth-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      while (leading.isAlive()) {
        TimeUnit.SECONDS.sleep(1);
      }
      LOG.error("The scheduler has failed, and ends. It is to be started again.");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    stop.run();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      LOG.debug("It ends already.");
    }
    return KubernetesMain.FAILED;
  }

  private static String hostName() {
    String pod = System.getenv("HOSTNAME"); // as Kubernetes names a pod
    if (pod != null && !pod.isBlank()) {
      return pod;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "berth";
    }
  }
}

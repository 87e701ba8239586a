package dev.berth.kubernetes.config;

import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.kubernetes.meaning.PodRules;
import dev.berth.runtime.LoopSettings;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The configuration of the scheduler of pods. It is a YAML or JSON document, the value of {@value
 * #KEY} in a ConfigMap:
 *
 * <pre>{@code
 * schedulerName: berth                # default; pods name it in spec.schedulerName
 * nodes:                              # required: a label selector; {} for all nodes
 *   matchLabels: {berth.dev/managed: "true"}
 * serviceClasses:                     # required, at least one
 * - name: gold
 *   slo: 0.99                         # default 1
 *   importance: 1                     # default 1, the most important
 *   safetyMargin: 10s                 # default
 *   preemptionOverheadLimit: 0.01     # default 1 - slo
 *   priorityClasses: [gold-critical]  # pods of these priority classes; default none
 * - name: bronze
 *   slo: 0.5
 *   importance: 3
 * defaultClass: bronze                # default: pods without a class are refused
 * policy:
 *   id: qos-driven                    # default
 *   config: {}                        # the configuration of the policy
 * plugins: /plugins                   # folder of jars with policies; default none
 * loop:                               # what is left out has the defaults shown
 *   queueCapacity: 10000
 *   underWayPerHost: 8
 *   actionTimeout: 2m                 # longer than the grace periods of victims
 *   actionAttempts: 5
 *   retryDelay: {first: 1s, longest: 1m}
 *   passInterval: 0s
 *   reconcileEvery: 5m
 *   busyTimeout: 5m
 * strictBudgets: false                # evict by the eviction API, which may refuse; default false
 * replacementWait: 5m                 # how long a history waits for the next pod; default 5m
 * foreignPods: count                  # count (default), warn or close
 * peerLabels:                         # keys that selectors of pods may name together
 * - [app, tier]
 * ignoredPodFields: []                # unknown fields of pods that do not matter
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param schedulerName name by which pods choose the scheduler
 * @param nodes the nodes of the scheduler; without requirements, all nodes
 * @param serviceClasses the service classes, at least one
 * @param podRules how pods are translated
 * @param policy id of the policy
 * @param policyConfig the configuration of the policy, as JSON
 * @param plugins folder of jars with policies; empty for the policies of the scheduler itself
 * @param policies the policies that were found
 * @param loop the settings of the loop
 * @param strictBudgets whether victims are evicted by the eviction API, which keeps disruption
 *     budgets by itself and may refuse
 * @param replacementWait how long the history of a pod that ended waits for another pod of the same
 *     owner
 * @param foreignPods what to do about pods of other schedulers
 */
public record Configuration(
    String schedulerName,
    LabelSelector nodes,
    List<ServiceClass> serviceClasses,
    PodRules podRules,
    String policy,
    String policyConfig,
    Optional<Path> plugins,
    PolicyRegistry policies,
    LoopSettings loop,
    boolean strictBudgets,
    Duration replacementWait,
    ForeignPods foreignPods) {

  /** The key of the document in a ConfigMap. */
  public static final String KEY = "config.yaml";

  /** Copies the list. */
  public Configuration {
    serviceClasses = List.copyOf(serviceClasses);
  }

  /**
   * Reads the data of a ConfigMap.
   *
   * @param data the data; it must have {@value #KEY}, and nothing else
   * @param policies returns the policies of the scheduler and of a folder of plugins; if it throws
   *     a runtime exception, that is a problem of {@code plugins}
   * @throws ConfigException if the configuration is invalid; it lists all problems
   */
  public static Configuration read(
      Map<String, String> data, Function<Optional<Path>, PolicyRegistry> policies) {
    return new ConfigurationReader(policies).read(data);
  }
}

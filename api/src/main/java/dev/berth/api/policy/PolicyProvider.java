package dev.berth.api.policy;

import java.util.List;

/**
 * The policies of one jar. {@link java.util.ServiceLoader} finds the provider, so the jar names it
 * in {@code META-INF/services/dev.berth.api.policy.PolicyProvider}, or with {@code provides} in its
 * module descriptor.
 *
 * <p>A provider is a public class with a public constructor without parameters, keeps no state, and
 * may be used by several threads. Its factories need not be public.
 */
public interface PolicyProvider {

  /**
   * Returns one factory for each policy of the jar, in any order. Ids are unique among all jars
   * that a program loads.
   */
  List<PolicyFactory<?>> factories();
}

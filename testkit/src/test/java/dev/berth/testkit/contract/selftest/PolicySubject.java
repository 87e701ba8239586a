package dev.berth.testkit.contract.selftest;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.PolicyContractTest;

/**
 * The contract test of a policy that has no configuration and is not registered. It declares all
 * capabilities by default, so that no rule is skipped.
 */
abstract class PolicySubject extends PolicyContractTest<PolicySubject.NoConfig> {

  /** No settings. */
  record NoConfig() {}

  abstract Policy make(PolicyContext context);

  @Override
  protected PolicyFactory<NoConfig> factory() {
    return new Factory(this);
  }

  /** Creates the policy of a subject. */
  static class Factory implements PolicyFactory<NoConfig> {

    private final PolicySubject subject;

    Factory(PolicySubject subject) {
      this.subject = subject;
    }

    @Override
    public String id() {
      return "broken";
    }

    @Override
    public String summary() {
      return "breaks a rule on purpose";
    }

    @Override
    public NoConfig defaults() {
      return new NoConfig();
    }

    @Override
    public Policy create(NoConfig config, PolicyContext context) {
      return subject.make(context);
    }
  }
}

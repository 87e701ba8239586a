package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.event.EventTarget;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link PassingTarget} supports every feature, so it must pass on every kind of event. */
class PassingTargetTest {

  private static Method[] events() {
    return Arrays.stream(EventTarget.class.getMethods())
        .filter(each -> !Modifier.isStatic(each.getModifiers()))
        .filter(each -> !each.getReturnType().equals(Optional.class)) // questions, not events
        .toArray(Method[]::new);
  }

  @ParameterizedTest
  @MethodSource("events")
  void passesOnEveryKindOfEvent(Method event) throws NoSuchMethodException {
    Method own = PassingTarget.class.getMethod(event.getName(), event.getParameterTypes());
    assertThat(own.getDeclaringClass()).isEqualTo(PassingTarget.class);
  }
}

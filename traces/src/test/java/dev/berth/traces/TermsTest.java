package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.traces.Terms.Group;
import dev.berth.traces.Terms.Scalar;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TermsTest {

  private static final Place PLACE = new Place("f.txt", 3);

  @Test
  void tuplesHoldNumbersStringsAtomsAndLists() {
    Group tuple =
        Terms.tuple(PLACE, "{1,\"Host 1\",0.375,-2.5e-3,true,'an atom',[{\"a\",\"%}\"},[]]}.");

    assertThat(tuple)
        .isEqualTo(
            new Group(
                true,
                List.of(
                    new Scalar("1"),
                    new Scalar("Host 1"),
                    new Scalar("0.375"),
                    new Scalar("-2.5e-3"),
                    new Scalar("true"),
                    new Scalar("an atom"),
                    new Group(
                        false,
                        List.of(
                            new Group(true, List.of(new Scalar("a"), new Scalar("%}"))),
                            new Group(false, List.of()))))));
    assertThat(tuple.describe()).isEqualTo("{1,Host 1,0.375,-2.5e-3,true,an atom,[{a,%}},[]]}");
  }

  @Test
  void blanksAndACommentAtTheEndMeanNothing() {
    assertThat(Terms.tuple(PLACE, "{ 1 ,\t\"a\" , [ ] } .  % done"))
        .isEqualTo(Terms.tuple(PLACE, "{1,\"a\",[]}."));
  }

  @Test
  void aBackslashTakesTheNextCharacterAsItIs() {
    assertThat(Terms.tuple(PLACE, "{\"a\\\"b\\\\\"}.").members())
        .containsExactly(new Scalar("a\"b\\"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{", "{1", "{1,", "{1,[", "{1,[]", "{1,[]}", "{\"abc", "{\"abc\\", "{0.3"})
  void aLineThatIsCutOffIsRefused(String line) {
    assertThatThrownBy(() -> Terms.tuple(PLACE, line))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "f.txt, line 3: ends in the middle of a term, must end in \"}.\". Maybe it was cut off.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{1}}.", "{1]. ", "{,1}.", "{1,}.", "{1 2}.", "{1}. {2}.", "{1};", "{1,0."})
  void whatIsNoTermIsRefused(String line) {
    assertThatThrownBy(() -> Terms.tuple(PLACE, line))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("f.txt, line 3: is no Erlang term: ")
        .hasMessageContaining("is unexpected at character ");
  }

  @Test
  void whatIsNoTupleIsRefused() {
    assertThatThrownBy(() -> Terms.tuple(PLACE, "[1]."))
        .hasMessage("f.txt, line 3: must be a tuple like \"{1,2}.\".");
  }

  @Test
  void depthIsLimited() {
    assertThatThrownBy(() -> Terms.tuple(PLACE, "{" + "[".repeat(500_000)))
        .isInstanceOf(InputException.class)
        .hasMessage("f.txt, line 3: nests terms deeper than 8.");
  }
}

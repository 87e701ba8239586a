package dev.berth.traces.format.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.traces.format.qos.ErlangParser.Group;
import dev.berth.traces.format.qos.ErlangParser.Scalar;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErlangParserTest {

  private static final SourceLocation LOCATION = new SourceLocation("f.txt", 3);

  @Test
  void parsesNumbersStringsAtomsAndLists() {
    Group tuple =
        ErlangParser.tuple(
            LOCATION, "{1,\"Host 1\",0.375,-2.5e-3,true,'an atom',[{\"a\",\"%}\"},[]]}.");

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
  void ignoresTrailingBlanksAndComment() {
    assertThat(ErlangParser.tuple(LOCATION, "{ 1 ,\t\"a\" , [ ] } .  % done"))
        .isEqualTo(ErlangParser.tuple(LOCATION, "{1,\"a\",[]}."));
  }

  @Test
  void backslashEscapesTheNextCharacter() {
    assertThat(ErlangParser.tuple(LOCATION, "{\"a\\\"b\\\\\"}.").members())
        .containsExactly(new Scalar("a\"b\\"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{", "{1", "{1,", "{1,[", "{1,[]", "{1,[]}", "{\"abc", "{\"abc\\", "{0.3"})
  void refusesATruncatedLine(String line) {
    assertThatThrownBy(() -> ErlangParser.tuple(LOCATION, line))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "f.txt, line 3: ends in the middle of a term, must end in \"}.\". Maybe it was cut off.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{1}}.", "{1]. ", "{,1}.", "{1,}.", "{1 2}.", "{1}. {2}.", "{1};", "{1,0."})
  void refusesTextThatIsNotATerm(String line) {
    assertThatThrownBy(() -> ErlangParser.tuple(LOCATION, line))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("f.txt, line 3: is not an Erlang term: ")
        .hasMessageContaining("is unexpected at character ");
  }

  @Test
  void refusesTermsThatAreNotTuples() {
    assertThatThrownBy(() -> ErlangParser.tuple(LOCATION, "[1]."))
        .hasMessage("f.txt, line 3: must be a tuple like \"{1,2}.\".");
  }

  @Test
  void limitsTheDepth() {
    assertThatThrownBy(() -> ErlangParser.tuple(LOCATION, "{" + "[".repeat(500_000)))
        .isInstanceOf(InputException.class)
        .hasMessage("f.txt, line 3: must not nest terms deeper than 8.");
  }
}

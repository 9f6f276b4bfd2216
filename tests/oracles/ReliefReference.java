import java.util.Locale;
import weka.attributeSelection.ReliefFAttributeEval;
import weka.core.Instances;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Prints Weka's version and its ReliefF weight of every attribute but the last one, the class.
 * Arguments: an ARFF file, the number of neighbours, sigma (0: all neighbours weigh the same).
 */
public class ReliefReference {
  public static void main(String[] arguments) throws Exception {
    Instances data = DataSource.read(arguments[0]);
    data.setClassIndex(data.numAttributes() - 1);
    ReliefFAttributeEval relief = new ReliefFAttributeEval();
    relief.setNumNeighbours(Integer.parseInt(arguments[1]));
    int sigma = Integer.parseInt(arguments[2]);
    if (sigma > 0) {
      relief.setWeightByDistance(true);
      relief.setSigma(sigma);
    }
    relief.buildEvaluator(data);
    System.out.println(Version.VERSION);
    for (int i = 0; i < data.numAttributes() - 1; i++) {
      System.out.println(String.format(Locale.ROOT, "%.12g", relief.evaluateAttribute(i)));
    }
  }
}

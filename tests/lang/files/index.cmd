shell cat $arg0/index.csv; ls $arg0

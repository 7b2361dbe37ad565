using System;

namespace House
{
    public interface ISwitchable
    {
        void Toggle();
    }

    public class Lamp : ISwitchable
    {
        public bool IsLit { get; private set; }

        public void Toggle()
        {
            IsLit = !IsLit;
        }
    }

    public enum Brightness { Dim, Bright }
}
